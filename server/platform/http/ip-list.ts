import { BlockList, isIP } from 'node:net'

/** IP addresses and CIDR ranges, IPv4 and IPv6: an API key's whitelist, trusted proxies. */
export interface IpList {
  includes(ip: string): boolean
}

/** Parses IP addresses and ranges, comma separated or as a list. Throws an error that names the invalid entry. */
export function parseIpList(text: string | readonly string[]): IpList {
  // One list per family: a single BlockList finds IPv4 addresses in wide IPv6 ranges.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of splitEntries(text)) {
    const [ip = '', bits, ...rest] = entry.split('/')
    const plain = normalizeIp(ip)
    const family = isIP(plain)
    const maxPrefix = family === 4 ? 32 : 128
    // The prefix of an IPv4-mapped range (::ffff:10.0.0.0/104) counts the 96 bits before the IPv4 part too.
    const shift = family === 4 && ip.includes(':') ? 96 : 0
    const prefix = bits === undefined ? maxPrefix : /^\d{1,3}$/.test(bits) ? Number(bits) - shift : -1
    if (family === 0 || rest.length > 0 || prefix < 0 || prefix > maxPrefix) {
      throw new InvalidEntry(
        entry,
        `"${entry}" is not an IP address or a CIDR range such as 203.0.113.7 or 2001:db8::/32`,
      )
    }
    const name = family === 4 ? 'ipv4' : 'ipv6'
    lists[name].addSubnet(plain, prefix, name)
  }
  return {
    includes(ip) {
      const plain = normalizeIp(ip)
      const family = isIP(plain)
      const name = family === 4 ? 'ipv4' : 'ipv6'
      return family !== 0 && lists[name].check(plain, name)
    },
  }
}

export class InvalidEntry extends Error {
  readonly entry: string

  constructor(entry: string, message: string) {
    super(message)
    this.entry = entry
  }
}

export function splitEntries(text: string | readonly string[]): string[] {
  const entries = typeof text === 'string' ? text.split(',') : text
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

/**
 * Returns an IPv4-mapped IPv6 address as IPv4, and an IPv6 address without its zone (fe80::1%eth0). The system writes only IPv4 connections
 * as IPv4-mapped. Other forms, such as SIIT (::ffff:0:a.b.c.d), NAT64 (64:ff9b::), 6to4 (2002::) and IPv4-compatible (::a.b.c.d), are IPv6.
 */
export function normalizeIp(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const hex = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(ip)
  if (hex?.[1] && hex[2]) {
    const [high, low] = [Number.parseInt(hex[1], 16), Number.parseInt(hex[2], 16)]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return ip.replace(/%.*$/, '')
}

/** Returns the network of one host: an IPv4 address itself, or the /64 of an IPv6 address, because a host may use all of it. */
export function ipNetwork(ip: string): string {
  const plain = normalizeIp(ip)
  if (isIP(plain) !== 6) return plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = plain.includes('::') ? Array(8 - head.length - tail.length).fill('0') : []
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** Returns the network that neighbouring hosts probably share: an IPv4 /24, an IPv6 /48. */
export const wideIpNetwork = (ip: string) => ipNetwork(ip).split(/[.:]/).slice(0, 3).join(' ')
