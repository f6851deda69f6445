import { type Credits, giveBack, nextAssignee, type Share } from './share-evenly.ts'

/** What a rule keeps of the leads that its users got. */
export interface Turns {
  credits: Credits
  /** The leads of each user on the last day, IST. Only of rules with a daily limit. */
  taken: { day?: string; leads?: Record<string, number> }
}

export const noTurns: Turns = { credits: {}, taken: {} }

interface TurnRequest {
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
}

export type Take = (sharing: Sharing) => Turn

/** Returns who gets the next lead, and the turns after it. Who has reached the limit is skipped like who is away. */
function takeTurn(turns: Turns, { people, limit, day }: TurnRequest): Turn & { turns: Turns } {
  if (limit === null) {
    const { user_id, credits } = nextAssignee(turns.credits, people)
    return { user_id, people, turns: { ...turns, credits } }
  }
  const taken = takenOn(turns, day)
  const left = people.filter(({ user_id }) => (taken.leads[user_id] ?? 0) < limit)
  if (left.length === 0) return { user_id: null, people: left, turns }
  const { user_id, credits } = nextAssignee(turns.credits, left)
  const leads = { ...taken.leads, [user_id]: (taken.leads[user_id] ?? 0) + 1 }
  return { user_id, people: left, turns: { credits, taken: { ...taken, leads } } }
}

/** Returns a function that takes turns, which are kept in the map by the ids of their rules. */
export function takeFrom(turnsOf: Map<string, Turns>): Take {
  return ({ ruleId, ...request }) => {
    const { turns, ...turn } = takeTurn(turnsOf.get(ruleId) ?? noTurns, request)
    turnsOf.set(ruleId, turns)
    return turn
  }
}

/** A lead that a user of the rule had and lost. */
export interface LostLead {
  user_id: string
  /** Those who shared it. */
  people: Share[]
  /** When the user got it, IST. Null: there is no limit. */
  day: string | null
}

/** Returns the turns as if the user had not got the lead. */
export function returnTurn({ credits, taken }: Turns, { people, user_id, day }: LostLead): Turns {
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
