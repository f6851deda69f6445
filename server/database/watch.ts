import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Options, Sql } from 'postgres'

/** One connection that listens for changes of the directory and notices within a second that the database is away. */
export interface Watch {
  /** Whether notifications reach us: only then may anything be taken from memory. */
  readonly listening: boolean
  readonly away: boolean
  /** Calls back with the id of an account whose keys, people, webhooks or rules changed; null: any may have. */
  onChange(callback: (accountId: string | null) => void): void
  /** Calls back when the database went away (true) and when it is back (false). */
  onAway(callback: (away: boolean) => void): void
  close(): Promise<void>
}

const channel = 'lead_engine_directory'
const beatEvery = 200
const answerWithin = 700

/** `openConnection` opens a pool with these options; here one of a single connection. */
export function watchDatabase(openConnection: (options: Options<Record<never, never>>) => Sql): Watch {
  const changeCallbacks: ((accountId: string | null) => void)[] = []
  const awayCallbacks: ((away: boolean) => void)[] = []
  let listening = false
  let away = false
  const closing = new AbortController()
  let sql = open()

  function open(): Sql {
    const opened: Sql = openConnection({
      max: 1,
      connect_timeout: 1,
      max_lifetime: null,
      // Not in the published types, but how the library's own listen() is made.
      ...({ onnotify: (_channel: string, accountId: string) => tellChange(accountId) } as object),
      onclose: () => {
        if (opened === sql) listening = false
      },
    })
    return opened
  }

  function tellChange(accountId: string | null) {
    for (const callback of changeCallbacks) callback(accountId)
  }

  function setAway(now: boolean) {
    if (now === away) return
    away = now
    for (const callback of awayCallbacks) callback(now)
  }

  async function beat() {
    const asked = listening ? sql`select 1` : sql.unsafe(`listen ${channel}`).simple()
    const answer = asked.then(
      () => 'answered',
      () => 'failed',
    )
    let outcome = await Promise.race([answer, setTimeout(answerWithin, 'late', { ref: false })])
    // The clock may have run out because this process was busy: an answer that is already here counts.
    if (outcome === 'late') outcome = await Promise.race([answer, setImmediate().then(() => setImmediate('late'))])
    if (outcome === 'answered') {
      if (!listening) tellChange(null)
      listening = true
      setAway(false)
      return
    }
    listening = false
    setAway(true)
    const failed = sql
    sql = open()
    failed.end({ timeout: 0 }).catch(() => {})
  }

  async function run() {
    while (!closing.signal.aborted) {
      await beat()
      await setTimeout(beatEvery, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    get listening() {
      return listening
    },
    get away() {
      return away
    },
    onChange: (callback) => changeCallbacks.push(callback),
    onAway: (callback) => awayCallbacks.push(callback),
    close: async () => {
      // Cuts the pause short too: waiting for a timer that does not hold the process would end the process here.
      closing.abort()
      await sql.end({ timeout: 0 })
      await running
    },
  }
}

/** Says to every process that the account's keys, people, webhooks or rules changed. A statement of its own, in the writer's transaction. */
export async function tellDirectoryChanged(sql: Pick<Sql, 'unsafe'>, accountId: string): Promise<void> {
  await sql.unsafe('select pg_notify($1, $2)', [channel, accountId])
}
