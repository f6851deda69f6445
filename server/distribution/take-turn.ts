import { type Credits, giveBack, nextAssignee, type Share } from './share-evenly.ts'

/** What a rule keeps of the leads that its users got. */
export interface Turns {
  credits: Credits
  /** The leads of each user on the last day, IST. Only of rules with a daily limit. */
  taken: { day?: string; leads?: Record<string, number> }
}

export const noTurns: Turns = { credits: {}, taken: {} }

export interface TurnRequest {
  people: Share[]
  /** Leads per user and day. Null: no limit. */
  limit: number | null
  /** IST. */
  day: string
}

/** Users of a rule who share its leads at this moment. */
export interface Sharing extends TurnRequest {
  ruleId: string
}

export interface Turn {
  /** Null if all have reached the limit. */
  user_id: string | null
  /** Those who have not reached it: they shared the lead. */
  people: Share[]
  /** The day on which it counts. Null: there is no limit. */
  day: string | null
}

/** Returns who gets the next lead, and the turns after it. Who has reached the limit is skipped like who is away. */
export function takeTurn(turns: Turns, { people, limit, day }: TurnRequest): Turn & { turns: Turns } {
  if (limit === null) {
    const { user_id, credits } = nextAssignee(turns.credits, people)
    return { user_id, people, day: null, turns: { ...turns, credits } }
  }
  const taken = takenOn(turns, day)
  const left = people.filter(({ user_id }) => (taken.leads[user_id] ?? 0) < limit)
  if (left.length === 0) return { user_id: null, people: left, day: taken.day, turns }
  const { user_id, credits } = nextAssignee(turns.credits, left)
  const leads = { ...taken.leads, [user_id]: (taken.leads[user_id] ?? 0) + 1 }
  return { user_id, people: left, day: taken.day, turns: { credits, taken: { ...taken, leads } } }
}

/** Returns the turns as if the user had not got a lead that was shared among `people` on that day. */
export function returnTurn(
  { credits, taken }: Turns,
  { people, user_id, day }: { people: Share[]; user_id: string; day: string | null },
): Turns {
  const count = day !== null && taken.day === day ? (taken.leads?.[user_id] ?? 0) : 0
  return {
    credits: giveBack(credits, people, user_id),
    taken: count > 0 ? { ...taken, leads: { ...taken.leads, [user_id]: count - 1 } } : taken,
  }
}

/** A day starts without leads. The clock of another process may be behind: its day is the last one, too. */
function takenOn({ taken }: Turns, day: string): { day: string; leads: Record<string, number> } {
  return taken.day !== undefined && taken.day >= day ? { day: taken.day, leads: taken.leads ?? {} } : { day, leads: {} }
}
