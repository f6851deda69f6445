import type { DateWindow } from '../http/date-window.ts'
import type { leadsBySource } from './by-source.ts'
import { maxSources, type SourceFigures, type SourceReport, type SourceRow } from './contract.ts'
import { costWithin } from './period.ts'
import type { readCosts } from './source-costs.ts'

type Rows<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>

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
): Pick<SourceReport, 'total' | 'rows' | 'more'> {
  const nOf = (rows: CountOfSource[], source: string) => rows.find((row) => row.source === source)?.n ?? 0
  const figuresOf = (source: string, before: boolean): SourceFigures => {
    const row = leads.find((row) => row.source === source && row.before === before)
    if (!row) return noFigures
    const { source: _, before: __, won_paise, ...figures } = row
    return { ...figures, won_value: Number(won_paise ?? 0) / 100 }
  }
  const costOf = (source: string) => {
    const costs = ofAccount!.costs.filter((row) => row.source === source)
    if (costs.length === 0) return null
    return inPaise(costs.reduce((sum, { month, cost }) => sum + costWithin(window, month, cost), 0))
  }
  const sources = [leads, enquiries, ofAccount?.rejected ?? [], ofAccount?.costs ?? []].flatMap((rows) =>
    rows.map(({ source }) => source),
  )
  const rows = [...new Set(sources)]
    .map((source) => ({
      source,
      figures: {
        ...figuresOf(source, false),
        enquired_again: nOf(enquiries, source),
        ...(ofAccount ? { rejected: nOf(ofAccount.rejected, source), cost: costOf(source) } : {}),
      },
      before: figuresOf(source, true),
    }))
    .sort((one, other) => other.figures.leads - one.figures.leads || one.source.localeCompare(other.source))
  return { total: total(rows), rows: rows.slice(0, maxSources), more: Math.max(0, rows.length - maxSources) }
}

/** The cost is that of the sources for which one was entered. */
function total(rows: SourceRow[]): SourceReport['total'] {
  const sum = (values: (number | null | undefined)[]) =>
    inPaise(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  const of = (which: 'figures' | 'before') =>
    Object.fromEntries(
      Object.keys(noFigures).map((name) => [name, sum(rows.map((row) => row[which][name as keyof SourceFigures]))]),
    ) as unknown as SourceFigures
  const hasAccount = rows.some(({ figures }) => figures.cost !== undefined)
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
