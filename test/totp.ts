import { createHmac } from 'node:crypto'

/** The code that an authenticator app shows for the scanned URL (RFC 6238). */
export function codeOf(totpUri: string, at = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', secretIn(totpUri)).update(counter).digest()
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** A code that is wrong now, a minute before and a minute after. */
export function wrongCodeOf(totpUri: string): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeOf(totpUri, Date.now() + seconds * 1000))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
}

function secretIn(totpUri: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const letters = new URL(totpUri).searchParams.get('secret')!
  const bits = [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}
