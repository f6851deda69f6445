import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'le_live_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + 6}}$`)

/** Returns a new key: the prefix, 32 random characters (190 bits), six of checksum. Shown once and never stored. */
export function newSecret(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefix + random + checksum(random)
}

/** Checks the form and the checksum of a key, without asking the database. */
export function isPossibleSecret(text: string): boolean {
  return shape.test(text) && checksum(text.slice(prefix.length, -6)) === text.slice(-6)
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
