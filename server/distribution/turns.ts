import type { TransactionSql } from 'postgres'
import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'

/** What this process holds of one rule. */
interface Desk {
  waiting: { actor: Actor; turn: PromiseWithResolvers<number> }[]
  /** A statement is under way. What asks meanwhile waits for the next one. */
  isAsking: boolean
  /** Leads that hold a turn or wait for one. */
  underWay: number
  /** Turns that no lead used, the lowest first. */
  unused: number[]
  giveBack: NodeJS.Timeout | undefined
}

/** How long no lead of a rule may be under way before its unused turns go back to the database, in milliseconds. */
const patience = 200

const desks = new WeakMap<Database, Map<string, Desk>>()

function desksOf(database: Database): Map<string, Desk> {
  let all = desks.get(database)
  if (!all) {
    all = new Map()
    desks.set(database, all)
    const mine = all
    database.beforeClose(() => Promise.all([...mine].map(([key, desk]) => giveBack(database, mine, key, desk))))
  }
  return all
}

/**
 * Runs `work` with the next turn of a rule, from 0. The turn is committed before `work` begins, so no other lead waits
 * for this one; requests that ask at the same time share a statement. A turn that `work` does not use goes to the next
 * lead. So after any number of leads each person's share differs from their weight by at most the creates under way.
 */
export async function withTurn<T>(
  database: Database,
  actor: Actor,
  ruleId: string,
  work: (turn: number) => Promise<T>,
  isUsed: (result: T) => boolean,
): Promise<T> {
  const all = desksOf(database)
  const key = keyOf(actor.account_id, ruleId)
  const desk = all.get(key) ?? { waiting: [], isAsking: false, underWay: 0, unused: [], giveBack: undefined }
  all.set(key, desk)
  desk.underWay++
  clearTimeout(desk.giveBack)
  try {
    const turn = await takeTurn(database, actor, all, key, desk)
    let used = false
    try {
      const result = await work(turn)
      used = isUsed(result)
      return result
    } finally {
      if (!used) keepUnused(desk, [turn])
    }
  } finally {
    desk.underWay--
    leave(database, all, key, desk)
  }
}

/** The turn that would come next, without taking it. */
export async function nextTurn(
  database: Database,
  tx: TransactionSql,
  accountId: string,
  ruleId: string,
): Promise<number> {
  const [row] = await tx`select coalesce(returned[1], turns) as next from distribution_turns
    where account_id = ${accountId} and rule_id = ${ruleId}`
  const unused = desks.get(database)?.get(keyOf(accountId, ruleId))?.unused[0]
  return Math.min(Number(row?.next ?? 0), unused ?? Number.POSITIVE_INFINITY)
}

const keyOf = (accountId: string, ruleId: string) => `${accountId} ${ruleId}`
const partsOf = (key: string) => key.split(' ') as [accountId: string, ruleId: string]

function takeTurn(database: Database, actor: Actor, all: Map<string, Desk>, key: string, desk: Desk): Promise<number> {
  const unused = desk.unused.shift()
  if (unused !== undefined) return Promise.resolve(unused)
  const turn = Promise.withResolvers<number>()
  desk.waiting.push({ actor, turn })
  if (!desk.isAsking) void askForTurns(database, all, key, desk)
  return turn.promise
}

async function askForTurns(database: Database, all: Map<string, Desk>, key: string, desk: Desk): Promise<void> {
  const [accountId, ruleId] = partsOf(key)
  desk.isAsking = true
  while (desk.waiting.length > 0) {
    const served = desk.waiting.splice(0)
    try {
      const turns = await database.write(
        served[0]!.actor,
        (sql) => sql`select turn from unnest(take_turns(${accountId}, ${ruleId}, ${served.length})) as turn`,
      )
      for (const [index, one] of served.entries()) one.turn.resolve(Number(turns[index]!.turn))
    } catch (error) {
      for (const one of served) one.turn.reject(error)
    }
  }
  desk.isAsking = false
  leave(database, all, key, desk)
}

function keepUnused(desk: Desk, turns: number[]): void {
  for (const turn of turns) {
    const waiting = desk.waiting.shift()
    if (waiting) waiting.turn.resolve(turn)
    else desk.unused.push(turn)
  }
  desk.unused = desk.unused.sort((one, other) => one - other).slice(0, mostKept)
}

const mostKept = 1000

/** Forgets a rule that nothing is under way for, once its unused turns are in the database. */
function leave(database: Database, all: Map<string, Desk>, key: string, desk: Desk, wait = patience): void {
  if (desk.isAsking || desk.underWay > 0) return
  clearTimeout(desk.giveBack)
  if (desk.unused.length === 0) all.delete(key)
  else desk.giveBack = setTimeout(() => void giveBack(database, all, key, desk), wait).unref()
}

async function giveBack(database: Database, all: Map<string, Desk>, key: string, desk: Desk): Promise<void> {
  clearTimeout(desk.giveBack)
  if (desk.isAsking || desk.unused.length === 0) return
  const turns = desk.unused.splice(0)
  const [accountId, ruleId] = partsOf(key)
  desk.isAsking = true
  let failed = false
  try {
    await database.write(
      { account_id: accountId, via: 'command' },
      (sql) => sql`select return_turns(${accountId}, ${ruleId}, ${`{${turns}}`}::bigint[])`,
    )
  } catch {
    // They stay here while the database is away; the worst that can be lost is a turn.
    keepUnused(desk, turns)
    failed = true
  }
  desk.isAsking = false
  if (desk.waiting.length > 0) await askForTurns(database, all, key, desk)
  else leave(database, all, key, desk, failed ? 5000 : patience)
}
