import { ECDH } from 'node:crypto'

/** Returns whether a key of a browser is an uncompressed point on the curve P-256. Messages cannot be encrypted for any other. */
export function isPushKey(p256dh: string): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return false
  try {
    ECDH.convertKey(point, 'prime256v1')
    return true
  } catch {
    return false
  }
}

/** Returns whether it is a secret of 16 bytes. */
export const isPushSecret = (auth: string): boolean => Buffer.from(auth, 'base64url').length === 16
