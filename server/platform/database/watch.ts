import { setImmediate, setTimeout } from 'node:timers/promises'
import type { PoolOptions } from './pool.ts'
import type { Sql } from './sql.ts'

/**
 * Why the database is unavailable: new connections fail while existing ones may work, or all connections are silent.
 */
export type Outage = 'unreachable' | 'silent'

/** A connection that listens for changes and notices within a second that the database is unavailable. */
export interface Watch {
  /** Whether notifications reach this process. Only then the cache may be used. */
  readonly listening: boolean
  readonly away: boolean
  /** Calls back with the account whose keys, users, webhooks or rules changed; null means any account. */
  onChange(callback: (accountId: string | null) => void): void
  /**
   * Calls back with the account whose leads or calls changed, and the page of the web app that changed them. Null means any account, and any
   * other change.
   */
  onLeads(callback: (accountId: string | null, pageId: string | null) => void): void
  /** Calls back with an account and a user of it who is shown a call: it rings, or has changed. */
  onRinging(callback: (accountId: string, userId: string) => void): void
  /** Calls back when the database becomes unavailable, and with null when it is back. */
  onAway(callback: (away: Outage | null) => void): void
  close(): Promise<void>
}

const channel = 'lead_engine_directory'
const leadChannel = 'lead_engine_leads'
const ringingChannel = 'lead_engine_ringing'
const beatEvery = 200
/** Heartbeats in a row without an answer after which the database is unavailable. */
const missAfter = 250
const maxMisses = 3
/** Misses after which the older of two connections is replaced. */
const replaceAfter = 4
const retryAfter = 60
/** If a timer is this late, the process was busy: the answer may have arrived, unread. */
const busyAfter = 50
const maxBusy = 10

type Outcome = 'answered' | 'rejected' | 'failed'

interface Probe {
  sql: Sql
  outcome: Promise<Outcome>
}

/**
 * `openConnection` opens a pool, here of one connection. `heard` counts the bytes received on all other connections: while
 * they increase, the database is available, even if a heartbeat is late.
 */
export function watchDatabase(openConnection: (options: PoolOptions) => Sql, heard: () => number): Watch {
  const changeCallbacks: ((accountId: string | null) => void)[] = []
  const leadCallbacks: ((accountId: string | null, pageId: string | null) => void)[] = []
  const ringingCallbacks: ((accountId: string, userId: string) => void)[] = []
  const awayCallbacks: ((away: Outage | null) => void)[] = []
  let listening = false
  let away: Outage | null = null
  const closing = new AbortController()
  let sql = open()
  let probes: Probe[] = []

  function open(): Sql {
    const opened: Sql = openConnection({
      max: 1,
      connect_timeout: 1,
      onnotify: hear,
      onclose: () => {
        if (opened === sql) listening = false
      },
    })
    return opened
  }

  function hear(from: string, payload: string) {
    const [accountId = '', id = ''] = payload.split(' ')
    if (from === ringingChannel) for (const callback of ringingCallbacks) callback(accountId, id)
    else notify(from, accountId, id || null)
  }

  function notify(from: string, accountId: string | null, pageId: string | null = null) {
    for (const callback of from === leadChannel ? leadCallbacks : changeCallbacks) callback(accountId, pageId)
  }

  function setAway(now: Outage | null) {
    if (now === away) return
    away = now
    for (const callback of awayCallbacks) callback(now)
  }

  function ask(one: Sql): Probe {
    const isListening = one === sql && listening
    const asked = isListening
      ? one`select 1`
      : one.unsafe(`listen ${channel}; listen ${leadChannel}; listen ${ringingChannel}`)
    const outcome = asked.then(
      (): Outcome => 'answered',
      // A server that has no free connection is available.
      (error): Outcome => (error.code === '53300' ? 'rejected' : 'failed'),
    )
    return { sql: one, outcome }
  }

  /** Sends a heartbeat and waits for its answer. If it is late, opens a second connection: only the first may be lost. */
  async function beat() {
    probes = [ask(sql)]
    let misses = 0
    let unanswered = 0
    let busy = 0
    let lastHeard = heard()
    while (!closing.signal.aborted) {
      const { outcome, probe, wasBusy } = await firstOf(probes)
      if (outcome === 'answered') return adopt(probe!)
      if (outcome === 'late' && wasBusy && busy++ < maxBusy) continue
      if (outcome !== 'late') {
        end(probe!)
        probes = probes.filter((one) => one !== probe)
      }
      const heardNow = heard()
      const lives = outcome === 'rejected' || heardNow !== lastHeard
      lastHeard = heardNow
      misses = lives ? 0 : misses + 1
      if (misses >= maxMisses) setAway(outcome === 'late' ? 'silent' : (away ?? 'unreachable'))
      if (outcome !== 'late') await pause(retryAfter)
      // Notifications may be lost too.
      if (++unanswered >= maxMisses) listening = false
      if (probes.length === 2 && unanswered % replaceAfter === 0) end(probes.shift()!)
      if (probes.length < 2 && !closing.signal.aborted) probes.push(ask(open()))
    }
  }

  function adopt(probe: Probe) {
    for (const one of probes) if (one !== probe) end(one)
    if (probe.sql !== sql) {
      end({ sql })
      sql = probe.sql
      listening = false
    }
    if (!listening) for (const from of [channel, leadChannel]) notify(from, null)
    listening = true
    setAway(null)
  }

  function end(probe: Pick<Probe, 'sql'>) {
    probe.sql.end({ timeout: 0 }).catch(() => {})
  }

  const pause = (ms: number) => setTimeout(ms, undefined, { ref: false, signal: closing.signal }).catch(() => {})

  async function run() {
    while (!closing.signal.aborted) {
      await beat()
      await pause(beatEvery)
    }
  }
  const running = run()

  return {
    get listening() {
      return listening
    },
    get away() {
      return away !== null
    },
    onChange: (callback) => changeCallbacks.push(callback),
    onLeads: (callback) => leadCallbacks.push(callback),
    onRinging: (callback) => ringingCallbacks.push(callback),
    onAway: (callback) => awayCallbacks.push(callback),
    close: async () => {
      // Ends the pause too: its timer does not keep the process alive.
      closing.abort()
      await Promise.all([sql, ...probes.map((probe) => probe.sql)].map((one) => one.end({ timeout: 0 })))
      await running
    },
  }
}

/** Returns the first probe with a result, or that none has one in time. */
async function firstOf(probes: Probe[]) {
  const started = performance.now()
  const outcomes = probes.map((probe) => probe.outcome.then((outcome) => ({ outcome, probe, wasBusy: false })))
  const late = (wasBusy: boolean) => ({ outcome: 'late' as const, probe: null, wasBusy })
  const first = await Promise.race([...outcomes, setTimeout(missAfter, null, { ref: false })])
  if (first) return first
  const wasBusy = performance.now() - started > missAfter + busyAfter
  // An answer that has already arrived counts.
  return Promise.race([...outcomes, setImmediate().then(() => setImmediate(late(wasBusy)))])
}

/** Notifies every process that keys, users, webhooks or rules of the account changed. Call it in the writing transaction. */
export async function notifyDirectoryChanged(sql: Pick<Sql, 'unsafe'>, accountId: string): Promise<void> {
  await sql.unsafe('select pg_notify($1, $2)', [channel, accountId])
}

/**
 * Notifies every process that leads or calls changed. Each key is the account's id, and of a change in the web app a space and the page's id.
 * Call it outside of the writing transaction.
 */
export function notifyLeadsChanged(sql: Sql, keys: string[]) {
  return sql`select pg_notify(${leadChannel}, key) from unnest(${keys}::text[]) as key`
}

/** Notifies every process of users who are shown a call: it rings, or has changed. Each key is the account's id, a space and the user's id. */
export function notifyRinging(sql: Sql, keys: string[]) {
  return sql`select pg_notify(${ringingChannel}, key) from unnest(${keys}::text[]) as key`
}
