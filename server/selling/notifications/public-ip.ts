import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks that no push service is in: this machine, private and local networks, and those for documentation or tests. */
const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  internal.addSubnet(network, bits, 'ipv4')

/** In IPv6 only global unicast is public, except documentation, and Teredo and 6to4, which contain IPv4 addresses. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const notPublic = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6')

export function isPublicIp(ip: string): boolean {
  if (isIP(ip) === 4) return !internal.check(ip, 'ipv4')
  return isIP(ip) === 6 && globalUnicast.check(ip, 'ipv6') && !notPublic.check(ip, 'ipv6')
}

/** Returns whether the URL may be that of a push service: HTTPS, with a domain name. Its IP address is checked later. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, port } = new URL(text)
  return (
    protocol === 'https:' &&
    (port === '' || port === '443') &&
    username === '' &&
    password === '' &&
    isIP(hostname.replace(/^\[|\]$/g, '')) === 0 &&
    /\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(hostname) &&
    !/\.(local|localhost|internal|home|lan|test|example|invalid)$/i.test(hostname)
  )
}

/** Finds the IP address of a name for a connection. Fails unless all that it has are public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const hidden = found.find(({ address }) => !isPublicIp(address))
    if (hidden || found.length === 0)
      return callback(
        Object.assign(new Error('the push service has no public IP address'), { code: 'EPRIVATE' }),
        '',
        0,
      )
    if (options.all) return callback(null, found as never)
    callback(null, found[0]!.address, found[0]!.family)
  })
}
