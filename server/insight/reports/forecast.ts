import type { Account } from '../../access/account/users.ts'
import type { openDeals } from './by-user.ts'
import { type Forecast, type OpenStatus, openStatuses } from './contract.ts'

type Deals = Pick<Awaited<ReturnType<typeof openDeals>>[number], 'status' | 'month' | 'leads' | 'paise'>[]

/** Weighs the deal values of open leads by the probability of their status. */
export function forecast(deals: Deals, { winProbabilities }: Pick<Account, 'winProbabilities'>): Forecast {
  const summed = (rows: Deals) => {
    const weighted = rows.reduce((sum, { status, paise }) => sum + Number(paise) * winProbabilities[status], 0)
    return {
      leads: rows.reduce((sum, { leads }) => sum + leads, 0),
      value: rows.reduce((sum, { paise }) => sum + Number(paise), 0) / 100,
      weighted: Math.round(weighted / 100) / 100,
    }
  }
  return {
    by_status: openStatuses.map((status: OpenStatus) => ({
      status,
      probability: winProbabilities[status],
      ...summed(deals.filter((row) => row.status === status)),
    })),
    by_month: [...Map.groupBy(deals, ({ month }) => month)]
      .sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
      .map(([month, rows]) => ({ month, ...summed(rows) })),
  }
}

/** Overdue first, leads without a date last. */
const rank = (month: string | null) => (month === null ? '~' : month === 'overdue' ? '' : month)
