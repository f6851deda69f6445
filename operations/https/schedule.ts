import { createHash, type X509Certificate } from 'node:crypto'

/** How often the authority was asked. Kept in a file: a restart does not ask it more often than it allows. */
export interface Attempts {
  /** How many failed since the last certificate. */
  failed: number
  /** When the newest ones were. */
  at: Date[]
  /** Before this time, the authority does not want to be asked. */
  retryAt: Date | null
}

export const noAttempts: Attempts = { failed: 0, at: [], retryAt: null }

/** Let's Encrypt allows five failures an hour for a host name; a person who corrects the DNS record needs one of them. */
const maxPerHour = 4

const minute = 60_000
const hour = 60 * minute
const firstPause = 5 * minute
const maxPause = 6 * hour

/** When a third of its life is left, and up to a thirtieth earlier, which differs between certificates: not all services ask at once. */
export function renewalTime({ validFromDate, validToDate, fingerprint256 }: X509Certificate): Date {
  const life = validToDate.getTime() - validFromDate.getTime()
  const fraction = createHash('sha256').update(fingerprint256).digest().readUInt32BE() / 2 ** 32
  return new Date(validToDate.getTime() - life / 3 - (fraction * life) / 30)
}

export const addAttempt = ({ at }: Attempts, now: Date, outcome: Pick<Attempts, 'failed' | 'retryAt'>): Attempts => ({
  ...outcome,
  at: [...at, now].slice(-maxPerHour),
})

/**
 * Returns when the authority may be asked again. The pauses grow with the failures. A service that was restarted may know that the reason
 * is gone: it asks at once, unless it has asked too often in the last hour.
 */
export function nextTry({ failed, at, retryAt }: Attempts, { isRestarted }: { isRestarted: boolean }): Date {
  const last = at.at(-1)
  if (!last) return new Date(0)
  // After a certificate too: with a wrong clock, a new one is due at once.
  const pause = failed === 0 ? maxPause : Math.min(firstPause * 2 ** (failed - 1), maxPause)
  const paused = isRestarted ? 0 : last.getTime() + pause
  const allowed = at.length < maxPerHour ? 0 : at[0]!.getTime() + hour
  return new Date(Math.max(paused, allowed, retryAt?.getTime() ?? 0))
}
