import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

interface Cost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
export const passwordCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: the cost is stored with each hash, so that it can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, passwordCost, 32)
  const { memory, passes, parallelism } = passwordCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(key)}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored)
  if (!parts) return false
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [salt, expected] = parts.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  const key = await derive(password, salt, { memory, passes, parallelism }, expected.length)
  return timingSafeEqual(key, expected)
}

/** Without letters and digits that look alike. Five groups of four have 99 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function generatePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}

function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // Keyboards encode accented letters differently; NFKC makes them equal.
  const message = password.normalize('NFKC')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  argon2('argon2id', { message, nonce, tagLength, ...cost }, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
