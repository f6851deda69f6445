import type { TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'

/** The round robin of one rule in this process. */
interface RoundRobin {
  waiting: { actor: Actor; position: PromiseWithResolvers<number> }[]
  /** A statement is running. Requests that arrive meanwhile share the next one. */
  isFetching: boolean
  /** Leads that hold a position or wait for one. */
  active: number
  /** Positions that no lead used, in ascending order. */
  unused: number[]
  returnTimer: NodeJS.Timeout | undefined
}

/** After this time without active leads, unused positions go back to the database. In milliseconds. */
const returnAfter = 200

const roundRobinsByDatabase = new WeakMap<Database, Map<string, RoundRobin>>()

function roundRobinsOf(database: Database): Map<string, RoundRobin> {
  let all = roundRobinsByDatabase.get(database)
  if (!all) {
    all = new Map()
    roundRobinsByDatabase.set(database, all)
    const mine = all
    database.beforeClose(() => Promise.all([...mine.keys()].map((key) => returnUnused(database, mine, key))))
  }
  return all
}

/**
 * Runs `work` with the next round robin position of a rule, counting from 0. The position is committed before `work`
 * begins, so no other lead waits for this one; simultaneous requests share a statement. A position that `work` does not
 * use goes to the next lead. So each share differs from its weight by at most the creates that are running.
 */
export async function withPosition<T>(
  { database, actor, ruleId }: { database: Database; actor: Actor; ruleId: string },
  work: (position: number) => Promise<T>,
  isUsed: (result: T) => boolean,
): Promise<T> {
  const all = roundRobinsOf(database)
  const key = keyOf(actor.account_id, ruleId)
  const roundRobin = all.get(key) ?? { waiting: [], isFetching: false, active: 0, unused: [], returnTimer: undefined }
  all.set(key, roundRobin)
  roundRobin.active++
  clearTimeout(roundRobin.returnTimer)
  try {
    const position = await takePosition(database, actor, all, key)
    let used = false
    try {
      const result = await work(position)
      used = isUsed(result)
      return result
    } finally {
      if (!used) keepUnused(roundRobin, [position])
    }
  } finally {
    roundRobin.active--
    release(database, all, key)
  }
}

/** Returns the position that comes next, without taking it. */
export async function nextPosition(
  database: Database,
  tx: TransactionSql,
  accountId: string,
  ruleId: string,
): Promise<number> {
  const [row] = await tx`select coalesce(returned[1], turns) as next from distribution_turns
    where account_id = ${accountId} and rule_id = ${ruleId}`
  const unused = roundRobinsByDatabase.get(database)?.get(keyOf(accountId, ruleId))?.unused[0]
  return Math.min(Number(row?.next ?? 0), unused ?? Number.POSITIVE_INFINITY)
}

const keyOf = (accountId: string, ruleId: string) => `${accountId} ${ruleId}`
const partsOf = (key: string) => key.split(' ') as [accountId: string, ruleId: string]

function takePosition(database: Database, actor: Actor, all: Map<string, RoundRobin>, key: string): Promise<number> {
  const roundRobin = all.get(key)!
  const unused = roundRobin.unused.shift()
  if (unused !== undefined) return Promise.resolve(unused)
  const position = Promise.withResolvers<number>()
  roundRobin.waiting.push({ actor, position })
  if (!roundRobin.isFetching) void fetchPositions(database, all, key)
  return position.promise
}

async function fetchPositions(database: Database, all: Map<string, RoundRobin>, key: string): Promise<void> {
  const roundRobin = all.get(key)!
  const [accountId, ruleId] = partsOf(key)
  roundRobin.isFetching = true
  while (roundRobin.waiting.length > 0) {
    const requests = roundRobin.waiting.splice(0)
    try {
      const taken = await database.write(
        { ...requests[0]!.actor, silent: true },
        (sql) => sql`select turn from unnest(take_turns(${accountId}, ${ruleId}, ${requests.length})) as turn`,
      )
      for (const [index, { position }] of requests.entries()) position.resolve(Number(taken[index]!.turn))
    } catch (error) {
      for (const { position } of requests) position.reject(error)
    }
  }
  roundRobin.isFetching = false
  release(database, all, key)
}

function keepUnused(roundRobin: RoundRobin, positions: number[]): void {
  for (const position of positions) {
    const waiting = roundRobin.waiting.shift()
    if (waiting) waiting.position.resolve(position)
    else roundRobin.unused.push(position)
  }
  roundRobin.unused = roundRobin.unused.sort((one, other) => one - other).slice(0, mostUnused)
}

const mostUnused = 1000

/** Drops the round robin of a rule without active leads, once its unused positions are in the database. */
function release(database: Database, all: Map<string, RoundRobin>, key: string, wait = returnAfter): void {
  const roundRobin = all.get(key)
  if (!roundRobin || roundRobin.isFetching || roundRobin.active > 0) return
  clearTimeout(roundRobin.returnTimer)
  if (roundRobin.unused.length === 0) all.delete(key)
  else roundRobin.returnTimer = setTimeout(() => void returnUnused(database, all, key), wait).unref()
}

async function returnUnused(database: Database, all: Map<string, RoundRobin>, key: string): Promise<void> {
  const roundRobin = all.get(key)!
  clearTimeout(roundRobin.returnTimer)
  if (roundRobin.isFetching || roundRobin.unused.length === 0) return
  const positions = roundRobin.unused.splice(0)
  const [accountId, ruleId] = partsOf(key)
  roundRobin.isFetching = true
  let failed = false
  try {
    await database.write(
      { account_id: accountId, via: 'command', silent: true },
      (sql) => sql`select return_turns(${accountId}, ${ruleId}, ${`{${positions}}`}::bigint[])`,
    )
  } catch {
    // They stay here while the database is unavailable. At worst a position is lost.
    keepUnused(roundRobin, positions)
    failed = true
  }
  roundRobin.isFetching = false
  if (roundRobin.waiting.length > 0) await fetchPositions(database, all, key)
  else release(database, all, key, failed ? 5000 : returnAfter)
}
