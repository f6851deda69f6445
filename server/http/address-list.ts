import { BlockList, isIP } from 'node:net'

/** Addresses and CIDR ranges, IPv4 and IPv6: an API key's whitelist, the proxies that are believed. */
export interface AddressList {
  includes(address: string): boolean
}

/** Takes addresses or ranges, comma separated or as a list. Throws one sentence that names the entry it cannot read. */
export function parseAddressList(text: string | readonly string[]): AddressList {
  // One for each family: of itself BlockList finds IPv4 addresses in wide IPv6 ranges.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entriesOf(text)) {
    const [address = '', bits, ...rest] = entry.split('/')
    const plain = asPlain(address)
    const family = isIP(plain)
    const widest = family === 4 ? 32 : 128
    // A range over IPv4-mapped addresses (::ffff:10.0.0.0/104) counts its bits from the IPv4 part on.
    const shift = family === 4 && address.includes(':') ? 96 : 0
    const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) - shift : -1
    if (family === 0 || rest.length > 0 || prefix < 0 || prefix > widest) {
      throw new Error(`"${entry}" is not an IP address or a CIDR range such as 203.0.113.7 or 2001:db8::/32`)
    }
    const name = family === 4 ? 'ipv4' : 'ipv6'
    lists[name].addSubnet(plain, prefix, name)
  }
  return {
    includes(address) {
      const plain = asPlain(address)
      const family = isIP(plain)
      const name = family === 4 ? 'ipv4' : 'ipv6'
      return family !== 0 && lists[name].check(plain, name)
    },
  }
}

export function entriesOf(text: string | readonly string[]): string[] {
  const entries = typeof text === 'string' ? text.split(',') : text
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

/** IPv4-mapped IPv6 addresses are compared as IPv4; a zone (fe80::1%eth0) is not part of the address. */
export function asPlain(address: string): string {
  const mapped = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const hex = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address)
  if (hex?.[1] && hex[2]) {
    const [high, low] = [Number.parseInt(hex[1], 16), Number.parseInt(hex[2], 16)]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return address.replace(/%.*$/, '')
}

/** Whose an address is: an IPv4 address stands for itself, an IPv6 one for the /64 in which its host may choose any. */
export function networkOf(address: string): string {
  const plain = asPlain(address)
  if (isIP(plain) !== 6) return plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = plain.includes('::') ? Array(8 - head.length - tail.length).fill('0') : []
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** What its neighbours probably belong to as well: an IPv4 /24, an IPv6 /48. */
export const wideNetworkOf = (address: string) => networkOf(address).split(/[.:]/).slice(0, 3).join(' ')
