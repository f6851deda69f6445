import type { User } from '../../access/account/users.ts'
import { compareNames } from '../../platform/text/contract.ts'
import type {
  callsByCaller,
  closedByOwner,
  currentByOwner,
  leadsByOwner,
  missedByOwner,
  timesToFirstCall,
} from './by-user.ts'
import { type CurrentFigures, openStatuses, type UserFigures, type UserReport, type UserRow } from './contract.ts'

type Rows<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>

export interface Counted {
  leads: Rows<typeof leadsByOwner>
  /** For the months of the period. */
  goals: { user_id: string; month: string; won_value: number }[]
  closed: Rows<typeof closedByOwner>
  waits: Rows<typeof timesToFirstCall>
  calls: Rows<typeof callsByCaller>
  missed: Rows<typeof missedByOwner>
  current: Rows<typeof currentByOwner>
}

const noFigures: UserFigures & CurrentFigures = {
  leads: 0,
  uncalled: 0,
  converted: 0,
  first_call_median: null,
  first_call_p90: null,
  calls: 0,
  connected: 0,
  talk_seconds: 0,
  missed: 0,
  unreturned: 0,
  won: 0,
  won_value: 0,
  lost: 0,
  overdue: 0,
  going_cold: 0,
}

/** Returns a row for each user, one for unassigned leads, one for calls of no known user, and the total. Others than active users need a figure. */
export function userReport(
  users: User[],
  counted: Counted,
): Pick<UserReport, 'total' | 'rows' | 'funnel' | 'lost_reasons'> {
  const goalOf = (id: string) => sumOfGoals(counted.goals.filter(({ user_id }) => user_id === id))
  const rows = [
    ...users.toSorted(byName).map(({ id, email, name, active }) => ({
      key: email,
      name,
      active,
      goal: goalOf(id),
      ...figuresOf(counted, id, id),
    })),
    { key: 'nobody', name: 'Unassigned', active: false, goal: null, ...figuresOf(counted, null, undefined) },
    { key: 'unknown', name: 'Unknown caller', active: false, goal: null, ...figuresOf(counted, undefined, null) },
  ].filter(({ active, goal, figures, before }) => active || goal || hasAny(figures) || hasAny(before))
  return {
    total: {
      goal: sumOfGoals(counted.goals),
      figures: total(rows, 'figures', counted),
      before: total(rows, 'before', counted),
    },
    rows,
    funnel: funnel(counted),
    lost_reasons: lostReasons(counted),
  }
}

const byName = (one: User, other: User) => compareNames(one.name, other.name)

function funnel({ leads }: Counted): UserReport['funnel'] {
  const now = leads.filter(({ before }) => !before)
  return [...openStatuses, 'Won' as const, null].map((status) => ({
    status,
    leads: sumOf(now, (row) => (row.status === status ? row.leads : 0)),
    lost: sumOf(now, (row) => (row.status === 'Lost' && row.lost_from === status ? row.leads : 0)),
  }))
}

function lostReasons({ closed }: Counted): UserReport['lost_reasons'] {
  const lost = closed.filter(({ before, lost }) => !before && lost > 0)
  return [...Map.groupBy(lost, ({ lost_reason }) => lost_reason)]
    .map(([reason, rows]) => ({
      reason,
      n: sumOf(rows, ({ lost }) => lost),
      by_status: [...openStatuses, null]
        .map((status) => ({ status, n: sumOf(rows, (row) => (row.lost_from === status ? row.lost : 0)) }))
        .filter(({ n }) => n > 0),
    }))
    .sort((one, other) => other.n - one.n || compareNames(one.reason ?? '', other.reason ?? ''))
}

const sumOfGoals = (goals: Counted['goals']) => (goals.length > 0 ? sumOf(goals, ({ won_value }) => won_value) : null)

const sumOf = <Row>(rows: Row[], read: (row: Row) => number) => rows.reduce((sum, row) => sum + read(row), 0)

const hasAny = (figures: object) => Object.values(figures).some((value) => value !== 0 && value !== null)

/** Undefined: of no owner, or of no caller. */
function figuresOf(
  counted: Counted,
  owner: string | null | undefined,
  caller: string | null | undefined,
): Pick<UserRow, 'figures' | 'before'> {
  const of = (before: boolean) => {
    const isTheirs = (row: { user_id: string | null; before: boolean }) =>
      row.user_id === owner && row.before === before
    const find = <T extends { user_id: string | null; before: boolean }>(rows: T[], id: string | null | undefined) =>
      rows.find((row) => row.user_id === id && row.before === before)
    const [leads, closed] = [counted.leads.filter(isTheirs), counted.closed.filter(isTheirs)]
    const waits = find(
      counted.waits.filter(({ of_all }) => !of_all),
      owner,
    )
    const calls = find(counted.calls, caller)
    const missed = find(counted.missed, owner)
    return {
      ...noFigures,
      leads: sumOf(leads, (row) => row.leads),
      uncalled: sumOf(counted.leads, (row) => (row.owner_now === owner && row.before === before ? row.uncalled : 0)),
      converted: sumOf(leads, (row) => (row.status === 'Won' ? row.leads : 0)),
      won: sumOf(closed, (row) => row.won),
      won_value: sumOf(closed, ({ won_paise }) => Number(won_paise ?? 0)) / 100,
      lost: sumOf(closed, (row) => row.lost),
      ...waitsOf(waits),
      ...(calls && { calls: calls.calls, connected: calls.connected, talk_seconds: Number(calls.talk_seconds) }),
      ...(missed && { missed: missed.missed, unreturned: missed.unreturned }),
    }
  }
  const current = counted.current.find(({ user_id }) => user_id === owner)
  const { overdue, going_cold, ...before } = of(true)
  return {
    figures: { ...of(false), ...(current && { overdue: current.overdue, going_cold: current.going_cold }) },
    before,
  }
}

const waitsOf = (row: { median: number; p90: number } | undefined) =>
  row && { first_call_median: Math.round(row.median), first_call_p90: Math.round(row.p90) }

type Both = 'figures' | 'before'

/** The sums of the rows. The times to first call are those of all leads. */
function total<Which extends Both>(rows: Pick<UserRow, Both>[], which: Which, { waits }: Counted): UserRow[Which] {
  const { overdue, going_cold, ...ofPeriod } = noFigures
  const none = which === 'figures' ? noFigures : ofPeriod
  const names = Object.keys(none).filter((name) => !name.startsWith('first_call')) as (keyof UserFigures)[]
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + (row[which][name] ?? 0), 0)])
  const ofAll = waits.find(({ of_all, before }) => of_all && before === (which === 'before'))
  // Sums of paise, without the error of their binary fractions.
  const summed = { ...none, ...Object.fromEntries(sums), ...waitsOf(ofAll) } as UserRow[Which]
  return { ...summed, won_value: Math.round(summed.won_value * 100) / 100 }
}
