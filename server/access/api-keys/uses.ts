import { accountActor, asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Caller } from '../sign-in/caller.ts'

const flushEvery = 2000

interface Use {
  account_id: string
  at: Date
  ip: string
}

export interface KeyUses {
  note(caller: Caller, ip: string): void
  /** Saves the noted uses. Also called when the service stops. */
  flush(): Promise<void>
}

/**
 * Records the time and IP of each key's last use. A request only notes it in memory. Every other second the notes are
 * saved, one statement per account. A save that fails is tried again with the next one, and fails no request.
 */
export function recordKeyUses(database: Database, onError: (error: unknown) => void): KeyUses {
  let uses = new Map<string, Use>()
  let timer: NodeJS.Timeout | null = null

  function wait() {
    timer ??= setTimeout(flush, flushEvery).unref()
  }

  async function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    const noted = uses
    uses = new Map()
    const accounts = Map.groupBy(noted, ([, { account_id }]) => account_id)
    for (const [accountId, ofAccount] of accounts) {
      await write(database, accountId, ofAccount).catch((error) => {
        for (const [id, use] of ofAccount) if (!uses.has(id)) uses.set(id, use)
        wait()
        onError(error)
      })
    }
  }

  return {
    note(caller, ip) {
      uses.set(caller.via_id, { account_id: caller.account_id, at: new Date(), ip })
      wait()
    },
    flush,
  }
}

async function write(database: Database, accountId: string, uses: [string, Use][]): Promise<void> {
  const actor = { ...accountActor(accountId), silent: true as const }
  // Sorted by id, so that two processes that save the same keys cannot deadlock.
  const sorted = uses.toSorted(([one], [other]) => (one < other ? -1 : 1))
  await asActor(
    database,
    actor,
    (tx) => tx`
      insert into api_key_uses (account_id, api_key_id, at, address)
      select ${accountId}, * from unnest(${sorted.map(([id]) => id)}::uuid[],
        ${sorted.map(([, { at }]) => at.toISOString())}::text[]::timestamptz[],
        ${sorted.map(([, { ip }]) => ip)}::text[])
      on conflict (account_id, api_key_id) do update set at = excluded.at, address = excluded.address
      where api_key_uses.at <= excluded.at`,
  )
}
