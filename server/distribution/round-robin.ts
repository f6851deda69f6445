import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import { type Credits, giveBack, nextAssignee, type Share } from './share-evenly.ts'

/** Users of a rule who share its leads at this moment. */
export interface Sharing {
  ruleId: string
  people: Share[]
}

/**
 * Takes the next user of a rule's round robin. It is committed at once, so that no other lead waits for this one. Call
 * `returnAssignee` if the lead does not get this user. So each share differs from its weight by at most the creates that are running.
 */
export function takeAssignee(database: Database, actor: Actor, { ruleId, people }: Sharing): Promise<string> {
  return database.together(`take ${actor.account_id} ${ruleId}`, people, (requests: Share[][]) =>
    changeCredits(database, actor, ruleId, (credits) => {
      const taken: string[] = []
      let left = credits
      for (const people of requests) {
        const next = nextAssignee(left, people)
        taken.push(next.user_id)
        left = next.credits
      }
      return { credits: left, result: taken }
    }),
  )
}

/** Returns a user who did not get the lead. If the database is unavailable, it is lost. */
export async function returnAssignee(
  database: Database,
  actor: Actor,
  { ruleId, people }: Sharing,
  userId: string,
): Promise<void> {
  await database
    .together(
      `return ${actor.account_id} ${ruleId}`,
      { people, userId },
      (unused: { people: Share[]; userId: string }[]) =>
        changeCredits(database, actor, ruleId, (credits) => {
          let left = credits
          for (const { people, userId } of unused) left = giveBack(left, people, userId)
          return { credits: left, result: unused }
        }),
    )
    .catch(() => {})
}

/** What this process wrote last for each rule. It need not be current: the database compares it. */
const lastCredits = new Map<string, Credits>()
const maxRules = 10_000

/** Takes one statement, and another one if another process changed the credits meanwhile. No lock is held between them. */
async function changeCredits<T>(
  database: Database,
  actor: Actor,
  ruleId: string,
  change: (credits: Credits) => { credits: Credits; result: T },
): Promise<T> {
  for (let kept = lastCredits.get(ruleId) ?? {}; ; ) {
    const { credits, result } = change(kept)
    const [row] = await database.write(
      { ...actor, silent: true },
      (sql) => sql<{ current: Credits | null }[]>`
        select swap_credits(${actor.account_id}, ${ruleId}, ${sql.json(kept)}, ${sql.json(credits)}) as current`,
    )
    if (row!.current === null) {
      if (lastCredits.size >= maxRules) lastCredits.clear()
      lastCredits.set(ruleId, credits)
      return result
    }
    kept = row!.current
  }
}

/** Returns who is next, without taking them. */
export async function previewAssignee(
  tx: TransactionSql,
  accountId: string,
  { ruleId, people }: Sharing,
): Promise<string> {
  const [row] = await tx<{ credits: Credits }[]>`
    select credits from distribution_turns where account_id = ${accountId} and rule_id = ${ruleId}`
  return nextAssignee(row?.credits ?? {}, people).user_id
}
