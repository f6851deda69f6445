import type { User } from '../../access/account/users.ts'
import type { callsByCaller, currentByOwner, leadsByOwner, missedByOwner, timesToFirstCall } from './by-user.ts'
import type { CurrentFigures, UserFigures, UserReport, UserRow } from './contract.ts'

type Rows<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>

export interface Counted {
  leads: Rows<typeof leadsByOwner>
  waits: Rows<typeof timesToFirstCall>
  calls: Rows<typeof callsByCaller>
  missed: Rows<typeof missedByOwner>
  current: Rows<typeof currentByOwner>
}

const noFigures: UserFigures & CurrentFigures = {
  leads: 0,
  uncalled: 0,
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
export function userReport(users: User[], counted: Counted): Pick<UserReport, 'total' | 'rows' | 'lost_reasons'> {
  const rows = [
    ...users.map(({ id, email, name, active }) => ({ key: email, name, active, ...figuresOf(counted, id, id) })),
    { key: 'nobody', name: 'Unassigned', active: false, ...figuresOf(counted, null, undefined) },
    { key: 'unknown', name: 'Unknown caller', active: false, ...figuresOf(counted, undefined, null) },
  ].filter(({ active, figures, before }) => active || hasAny(figures) || hasAny(before))
  return {
    total: { figures: total(rows, 'figures', counted), before: total(rows, 'before', counted) },
    rows,
    lost_reasons: lostReasons(counted),
  }
}

function lostReasons({ leads }: Counted): UserReport['lost_reasons'] {
  const reasons = new Map<string | null, number>()
  for (const { before, lost_reason, lost } of leads)
    if (!before && lost > 0) reasons.set(lost_reason, (reasons.get(lost_reason) ?? 0) + lost)
  return [...reasons]
    .map(([reason, n]) => ({ reason, n }))
    .sort((one, other) => other.n - one.n || (one.reason ?? '').localeCompare(other.reason ?? ''))
}

const hasAny = (figures: object) => Object.values(figures).some((value) => value !== 0 && value !== null)

/** Undefined: of no owner, or of no caller. */
function figuresOf(
  counted: Counted,
  owner: string | null | undefined,
  caller: string | null | undefined,
): Pick<UserRow, 'figures' | 'before'> {
  const of = (before: boolean) => {
    const find = <T extends { user_id: string | null; before: boolean }>(rows: T[], id: string | null | undefined) =>
      rows.find((row) => row.user_id === id && row.before === before)
    const leads = counted.leads.filter((row) => row.user_id === owner && row.before === before)
    const sum = (name: 'leads' | 'uncalled' | 'won' | 'lost') => leads.reduce((sum, row) => sum + row[name], 0)
    const waits = find(
      counted.waits.filter(({ of_all }) => !of_all),
      owner,
    )
    const calls = find(counted.calls, caller)
    const missed = find(counted.missed, owner)
    return {
      ...noFigures,
      leads: sum('leads'),
      uncalled: sum('uncalled'),
      won: sum('won'),
      won_value: leads.reduce((sum, { won_paise }) => sum + Number(won_paise ?? 0), 0) / 100,
      lost: sum('lost'),
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
