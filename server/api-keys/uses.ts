import { accountActor, asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { Caller } from '../sign-in/caller.ts'

const flushEvery = 2000

interface Use {
  account_id: string
  at: Date
  address: string
}

export interface KeyUses {
  note(caller: Caller, address: string): void
  /** Writes down what was noted. Called at the end of the service too. */
  flush(): Promise<void>
}

/**
 * When and from where each key was used last. A request only notes it in memory; what gathered is written every other
 * second, one statement for each account. A write that fails is tried again with the next, and no request hears of it.
 */
export function rememberKeyUses(database: Database, onError: (error: unknown) => void): KeyUses {
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
    note(caller, address) {
      uses.set(caller.via_id, { account_id: caller.account_id, at: new Date(), address })
      wait()
    },
    flush,
  }
}

async function write(database: Database, accountId: string, uses: [string, Use][]): Promise<void> {
  const actor = accountActor(accountId)
  // In the order of their ids: two processes that write the same keys must not wait for each other.
  const sorted = uses.toSorted(([one], [other]) => (one < other ? -1 : 1))
  await asActor(
    database,
    actor,
    (tx) => tx`
      insert into api_key_uses (account_id, api_key_id, at, address)
      select ${accountId}, * from unnest(${sorted.map(([id]) => id)}::uuid[],
        ${sorted.map(([, { at }]) => at.toISOString())}::text[]::timestamptz[],
        ${sorted.map(([, { address }]) => address)}::text[])
      on conflict (account_id, api_key_id) do update set at = excluded.at, address = excluded.address
      where api_key_uses.at <= excluded.at`,
  )
}
