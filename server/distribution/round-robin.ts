import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import type { Credits } from './share-evenly.ts'
import { noTurns, returnTurn, type Sharing, type Turn, type TurnRequest, type Turns, takeTurn } from './take-turn.ts'

/**
 * Takes the next user of a rule who has not reached its daily limit. It is committed at once, so that no other lead waits for this one. Call
 * `returnAssignee` if the lead does not get this user. So each share differs from its weight by at most the creates that are running, and
 * no user gets more leads than the limit.
 */
export function takeAssignee(database: Database, actor: Actor, { ruleId, ...request }: Sharing): Promise<Turn> {
  return database.together(`take ${actor.account_id} ${ruleId}`, request, (requests: TurnRequest[]) =>
    changeTurns(database, actor, { ruleId, isCounted: requests.some(({ limit }) => limit !== null) }, (turns) => {
      const taken: Turn[] = []
      let left = turns
      for (const request of requests) {
        const { turns, ...turn } = takeTurn(left, request)
        taken.push(turn)
        left = turns
      }
      return { turns: left, result: taken }
    }),
  )
}

/** Returns a user who did not get the lead. If the database is unavailable, it is lost. */
export async function returnAssignee(
  database: Database,
  actor: Actor,
  { ruleId, people, day }: Pick<Sharing, 'ruleId'> & Pick<Turn, 'people' | 'day'>,
  userId: string,
): Promise<void> {
  type Unused = Parameters<typeof returnTurn>[1]
  await database
    .together(`return ${actor.account_id} ${ruleId}`, { people, day, user_id: userId }, (unused: Unused[]) =>
      changeTurns(database, actor, { ruleId, isCounted: unused.some(({ day }) => day !== null) }, (turns) => ({
        turns: unused.reduce(returnTurn, turns),
        result: unused,
      })),
    )
    .catch(() => {})
}

/** What this process wrote last for each rule. It need not be current: the database compares it. */
const lastTurns = new Map<string, Turns>()
const maxRules = 10_000

/** Null, or what is stored. */
interface Swapped {
  current: Turns | Credits | null
}

/**
 * Takes one statement, and another one if another process changed the turns meanwhile. No lock is held between them.
 * Without a limit, credits alone are compared and written: that takes less time.
 */
async function changeTurns<T>(
  database: Database,
  actor: Actor,
  { ruleId, isCounted }: { ruleId: string; isCounted: boolean },
  change: (turns: Turns) => { turns: Turns; result: T },
): Promise<T> {
  for (let kept = lastTurns.get(ruleId) ?? noTurns; ; ) {
    const { turns, result } = change(kept)
    const [row] = await database.write({ ...actor, silent: true }, (sql) =>
      isCounted
        ? sql<Swapped[]>`select swap_turns(${actor.account_id}, ${ruleId}, ${sql.json(kept as never)},
              ${sql.json(turns as never)}) as current`
        : sql<
            { current: Credits | null }[]
          >`select swap_credits(${actor.account_id}, ${ruleId}, ${sql.json(kept.credits)},
              ${sql.json(turns.credits)}) as current`,
    )
    if (row!.current === null) {
      if (lastTurns.size >= maxRules) lastTurns.clear()
      lastTurns.set(ruleId, turns)
      return result
    }
    kept = isCounted ? (row!.current as Turns) : { ...kept, credits: row!.current as Credits }
  }
}

/** Returns who is next, without taking them. */
export async function previewAssignee(
  tx: TransactionSql,
  accountId: string,
  { ruleId, ...request }: Sharing,
): Promise<Turn> {
  const [turns = noTurns] = await tx<Turns[]>`
    select credits, taken from distribution_turns where account_id = ${accountId} and rule_id = ${ruleId}`
  return takeTurn(turns, request)
}
