import type { DateWindow } from '../../platform/http/date-window.ts'
import { compareNames } from '../../platform/text/contract.ts'
import type { countByOrigin } from './by-origin.ts'
import type { OriginFigures, OriginReport, OriginRow } from './contract.ts'
import type { readCosts } from './origin-costs.ts'
import { costWithin } from './period.ts'

type Counted = Awaited<ReturnType<typeof countByOrigin>>[number]

export interface CountedByOrigin {
  counted: Counted[]
  /** Null: not for this user, or not of all leads. Only sources have rejected deliveries. */
  ofAccount: { rejected: { name: string; n: number }[] | null; costs: Awaited<ReturnType<typeof readCosts>> } | null
}

const noFigures: OriginFigures = {
  leads: 0,
  uncalled: 0,
  contacted: 0,
  qualified: 0,
  converted: 0,
  won: 0,
  won_value: 0,
  lost: 0,
}

const inPaise = (rupees: number) => Math.round(rupees * 100) / 100

/** Returns a row for each name, those with the most leads first, then one for those that are joined, then for leads that name none. */
export function originReport(
  window: DateWindow,
  { counted, ofAccount }: CountedByOrigin,
): Pick<OriginReport, 'total' | 'rows'> {
  const byKey = Map.groupBy(counted, keyOf)
  const costs = costsOf(window, ofAccount?.costs ?? [])
  const rejected = new Map(ofAccount?.rejected?.map(({ name, n }) => [name, n]))
  const isShown = (name: string) => byKey.has(keyOf({ name, is_joined: false }))
  const namesOf = ({ name, is_joined }: Counted) => {
    if (is_joined) return [...new Set([...costs.keys(), ...rejected.keys()])].filter((one) => !isShown(one))
    return name === null ? [] : [name]
  }
  const shown = [...byKey.values()].filter(([row]) => row!.name !== null).length
  const rows = [...byKey.values()].map((ofBoth): OriginRow => {
    const { name, is_joined, names } = ofBoth[0]!
    const [now, before] = [false, true].map((before) => ofBoth.find((row) => row.before === before))
    const own = namesOf(ofBoth[0]!)
    const figures = figuresOf(now)
    const cost = sumOfAny(own.map((one) => costs.get(one)))
    return {
      name,
      ...(is_joined ? { joined: names - shown } : {}),
      figures: {
        ...figures,
        enquired_again: now?.enquired_again ?? 0,
        ...(ofAccount?.rejected ? { rejected: sum(own.map((one) => rejected.get(one))) } : {}),
        ...(ofAccount ? { cost, ...costPerLead(is_joined ? [] : [{ ...figures, cost }]) } : {}),
      },
      before: figuresOf(before),
    }
  })
  return { total: total(rows), rows: rows.sort(inOrder) }
}

const keyOf = ({ name, is_joined }: Pick<Counted, 'name' | 'is_joined'>) => JSON.stringify([name, is_joined])

function figuresOf(row: Counted | undefined): OriginFigures {
  if (!row) return noFigures
  const { won_paise, leads, uncalled, contacted, qualified, converted, won, lost } = row
  return { leads, uncalled, contacted, qualified, converted, won, won_value: Number(won_paise ?? 0) / 100, lost }
}

/** The part of each name's cost that falls on the days of the period. */
function costsOf(window: DateWindow, costs: { name: string; month: string; cost: number }[]): Map<string, number> {
  const byName = Map.groupBy(costs, ({ name }) => name)
  return new Map(
    [...byName].map(([name, months]) => [
      name,
      inPaise(months.reduce((sum, { month, cost }) => sum + costWithin(window, month, cost), 0)),
    ]),
  )
}

const sum = (values: (number | null | undefined)[]) =>
  inPaise(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** Null if there is none. */
const sumOfAny = (values: (number | null | undefined)[]) =>
  values.some((value) => typeof value === 'number') ? sum(values) : null

/** Leads of rows without a cost may have had one. So may some of joined names. */
function costPerLead(rows: Pick<OriginRow['figures'], 'cost' | 'leads' | 'converted'>[]) {
  const known = rows.filter(({ cost }) => typeof cost === 'number')
  const cost = sum(known.map((row) => row.cost))
  const per = (n: number) => (n > 0 ? inPaise(cost / n) : null)
  return {
    cost_per_lead: per(sum(known.map(({ leads }) => leads))),
    cost_per_converted: per(sum(known.map(({ converted }) => converted))),
  }
}

const rank = ({ name, joined }: OriginRow) => (name !== null ? 0 : joined ? 1 : 2)

const inOrder = (one: OriginRow, other: OriginRow) =>
  rank(one) - rank(other) || other.figures.leads - one.figures.leads || compareNames(one.name ?? '', other.name ?? '')

/** The cost is that of the names for which one was entered. */
function total(rows: OriginRow[]): OriginReport['total'] {
  const of = (which: 'figures' | 'before') =>
    Object.fromEntries(
      Object.keys(noFigures).map((name) => [name, sum(rows.map((row) => row[which][name as keyof OriginFigures]))]),
    ) as unknown as OriginFigures
  const figures = rows.map((row) => row.figures)
  return {
    figures: {
      ...of('figures'),
      enquired_again: sum(figures.map(({ enquired_again }) => enquired_again)),
      ...(figures.some(({ rejected }) => rejected !== undefined)
        ? { rejected: sum(figures.map(({ rejected }) => rejected)) }
        : {}),
      ...(figures.some(({ cost }) => cost !== undefined)
        ? {
            cost: sumOfAny(figures.map(({ cost }) => cost)),
            ...costPerLead(rows.filter(({ joined }) => joined === undefined).map(({ figures }) => figures)),
          }
        : {}),
    },
    before: of('before'),
  }
}
