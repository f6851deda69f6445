import type { DateWindow } from '../../platform/http/date-window.ts'
import type { leadsBySource } from './by-source.ts'
import { maxSources, type SourceFigures, type SourceReport, type SourceRow } from './contract.ts'
import { costWithin } from './period.ts'
import type { readCosts } from './source-costs.ts'

type Rows<Read extends (...given: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<Read>>[number][]

interface CountOfSource {
  source: string
  n: number
}

export interface CountedBySource {
  leads: Rows<typeof leadsBySource>
  enquiries: CountOfSource[]
  /** Null: not for this user, or not of a team. */
  ofAccount: { rejected: CountOfSource[]; costs: Rows<typeof readCosts> } | null
}

const noFigures: SourceFigures = { leads: 0, uncalled: 0, contacted: 0, won: 0, won_value: 0 }

const inPaise = (rupees: number) => Math.round(rupees * 100) / 100

/** Returns a row for each source, those with the most leads first, and the total. */
export function sourceReport(
  window: DateWindow,
  { leads, enquiries, ofAccount }: CountedBySource,
  maxRows = maxSources,
): Pick<SourceReport, 'total' | 'rows' | 'more'> {
  // By source, because senders name as many as they like.
  const [ofPeriod, ofPeriodBefore] = [false, true].map(
    (before) => new Map(leads.filter((row) => row.before === before).map((row) => [row.source, row])),
  )
  const bySource = (rows: CountOfSource[] = []) => new Map(rows.map(({ source, n }) => [source, n]))
  const [enquired, rejected] = [bySource(enquiries), bySource(ofAccount?.rejected)]
  const costs = Map.groupBy(ofAccount?.costs ?? [], ({ source }) => source)
  const figuresOf = (row: Rows<typeof leadsBySource>[number] | undefined): SourceFigures => {
    if (!row) return noFigures
    const { source: _, before: __, won_paise, ...figures } = row
    return { ...figures, won_value: Number(won_paise ?? 0) / 100 }
  }
  const costOf = (source: string) => {
    const months = costs.get(source)
    return months ? inPaise(months.reduce((sum, { month, cost }) => sum + costWithin(window, month, cost), 0)) : null
  }
  const sources = [...leads.map(({ source }) => source), ...enquired.keys(), ...rejected.keys(), ...costs.keys()]
  const rows = [...new Set(sources)]
    .map((source) => ({
      source,
      figures: {
        ...figuresOf(ofPeriod!.get(source)),
        enquired_again: enquired.get(source) ?? 0,
        ...(ofAccount ? { rejected: rejected.get(source) ?? 0, cost: costOf(source) } : {}),
      },
      before: figuresOf(ofPeriodBefore!.get(source)),
    }))
    .sort((one, other) => other.figures.leads - one.figures.leads || one.source.localeCompare(other.source))
  return {
    total: total(rows, ofAccount !== null),
    rows: rows.slice(0, maxRows),
    more: Math.max(0, rows.length - maxRows),
  }
}

/** The cost is that of the sources for which one was entered. */
function total(rows: SourceRow[], hasAccount: boolean): SourceReport['total'] {
  const sum = (values: (number | null | undefined)[]) =>
    inPaise(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  const of = (which: 'figures' | 'before') =>
    Object.fromEntries(
      Object.keys(noFigures).map((name) => [name, sum(rows.map((row) => row[which][name as keyof SourceFigures]))]),
    ) as unknown as SourceFigures
  return {
    figures: {
      ...of('figures'),
      enquired_again: sum(rows.map(({ figures }) => figures.enquired_again)),
      ...(hasAccount
        ? {
            rejected: sum(rows.map(({ figures }) => figures.rejected)),
            cost: rows.some(({ figures }) => typeof figures.cost === 'number')
              ? sum(rows.map(({ figures }) => figures.cost))
              : null,
          }
        : {}),
    },
    before: of('before'),
  }
}
