import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { msg } from '@lingui/core/runtime-macro'
import type { Sql } from '../../platform/database/sql.ts'
import { ipNetwork } from '../../platform/http/ip-list.ts'
import { rateLimited } from '../../platform/http/problem.ts'
import type { RateLimits } from '../../platform/http/rate-limit.ts'

/** Waits before a password is checked, or rejects an IP address with too many guesses. */
export type SlowGuesses = (email: string, ip: string) => Promise<void>

/** Attempts per email in 15 minutes that are not slowed, from all IP addresses together. */
export const freeAttempts = 10
const maxCounted = 1_000_000

/**
 * Slows guesses of one user's password from many IP addresses. The user is never locked out: a network where they are
 * signed in is not slowed. Any other network has five attempts in five minutes, each after up to three seconds. Unknown
 * emails are treated the same.
 */
export function slowGuesses(directory: Sql, limits: RateLimits, maxWaitMs = 3000): SlowGuesses {
  const ofEmail = limits.limit('password-email', maxCounted, 900)
  const ofNetwork = limits.limit('password-network', 5, 300)

  return async (email, ip) => {
    const key = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
    const attempts = maxCounted - (await ofEmail.count(key)).remaining
    if (attempts <= freeAttempts || (await isSignedInFrom(directory, email, ip))) return
    const { allowed, wait } = await ofNetwork.count(`${key} ${ipNetwork(ip)}`, key)
    if (!allowed) throw rateLimited(msg`Too many attempts for this email came from this IP address`, wait)
    await setTimeout(Math.min(maxWaitMs, 250 * 2 ** (attempts - freeAttempts - 1)))
  }
}

async function isSignedInFrom(directory: Sql, email: string, ip: string): Promise<boolean> {
  const sessions = await directory<{ ip_address: string | null }[]>`
    select distinct ip_address from sessions join users on users.id = user_id
    where lower(email) = ${email.trim().toLowerCase()} and expires_at > now() limit 100`
  return sessions.some(({ ip_address }) => ip_address !== null && ipNetwork(ip_address) === ipNetwork(ip))
}
