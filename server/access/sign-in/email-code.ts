import { createHmac } from 'node:crypto'

interface Asked {
  user_id: string
  /** The email until now: after the change, the code no longer works. */
  from: string
  to: string
}

const period = 1_800_000

/** Returns eight digits that only a reader of the new email's inbox knows. Nothing is stored. */
export const emailCode = (secret: string, asked: Asked, now: Date): string => codeOf(secret, asked, periodOf(now))

/** A code works for half an hour, and until the period of half an hour after it ends. */
export function isEmailCode(secret: string, asked: Asked, { code, now }: { code: string; now: Date }): boolean {
  const digits = code.replace(/\s/g, '')
  return [periodOf(now), periodOf(now) - 1].some((one) => codeOf(secret, asked, one) === digits)
}

const periodOf = (now: Date) => Math.floor(now.getTime() / period)

function codeOf(secret: string, { user_id, from, to }: Asked, at: number): string {
  const text = JSON.stringify(['email', user_id, from.toLowerCase(), to.toLowerCase(), at])
  const digest = createHmac('sha256', secret).update(text).digest()
  return String(digest.readUIntBE(0, 6) % 100_000_000).padStart(8, '0')
}
