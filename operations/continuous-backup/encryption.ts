import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

const magic = Buffer.from('LEC1')
const nonceLength = 12
const tagLength = 16
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** No object is larger when it is decompressed. */
const maxBytes = 64 * 1024 * 1024

/** Something in the continuous backup is damaged or missing. */
export class Damage extends Error {}

/** An object is not what was written under its name: bytes were changed, or it is another object. */
export class DamagedObject extends Damage {
  constructor(name: string) {
    super(`${name} in the continuous backup is damaged`)
  }
}

/** Derives the key of a history from the content of the key file. Its salt gives each history another key. */
export const deriveKey = (secret: string, salt: Buffer): Buffer =>
  scryptSync(secret, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 })

/** Returns a text by which the key of a history is recognised. */
export const keyCheck = (key: Buffer) => createHmac('sha256', key).update('key of a continuous backup').digest('hex')

export const isKey = (key: Buffer, check: string) =>
  timingSafeEqual(Buffer.from(keyCheck(key)), Buffer.from(check.padEnd(64).slice(0, 64)))

/** Compresses and encrypts an object. It can be read under this name only, so that objects cannot be exchanged. */
export async function seal(key: Buffer, name: string, content: Buffer): Promise<Buffer> {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const text = [cipher.update(await compress(content)), cipher.final()]
  return Buffer.concat([magic, nonce, ...text, cipher.getAuthTag()])
}

export async function unseal(key: Buffer, name: string, object: Buffer): Promise<Buffer> {
  const start = magic.length + nonceLength
  if (object.length < start + tagLength || !object.subarray(0, magic.length).equals(magic))
    throw new DamagedObject(name)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, object.subarray(magic.length, start))
      .setAAD(Buffer.from(name))
      .setAuthTag(object.subarray(-tagLength))
    const text = [decipher.update(object.subarray(start, -tagLength)), decipher.final()]
    return await decompress(Buffer.concat(text), { maxOutputLength: maxBytes })
  } catch (error) {
    throw Object.assign(new DamagedObject(name), { cause: error })
  }
}
