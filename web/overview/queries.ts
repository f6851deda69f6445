import { queryOptions } from '@tanstack/react-query'
import type { CallLog } from '#contract/call-logs'
import type { LeadStatus } from '#contract/leads'
import { type Data, get, type Page } from '../api.ts'

type Amounts<Word extends string> = Partial<Record<Word, number>>
type Outcome = CallLog['outcome']

export interface Overview {
  from_date: string
  to_date: string
  leads: {
    total: number
    by_source: Record<string, number>
    by_status: Amounts<LeadStatus>
    days: { day: string; total: number; by_status: Amounts<LeadStatus> }[]
  }
  calls: {
    total: number
    by_outcome: Amounts<Outcome>
    days: { day: string; total: number; by_outcome: Amounts<Outcome> }[]
  }
  /** By whose the leads are; those of nobody have neither name nor email. */
  people: { name: string | null; email: string | null; leads: number; calls: number }[]
  first_call: { median_seconds: number | null; leads: number }
  missed_calls: { missed: number; unreturned: number }
  /** For Admins. */
  refused_deliveries?: {
    total: number
    newest_at: string | null
    webhooks: { webhook_id: string; name: string; refused: number; newest_at: string }[]
  }
  silent_webhooks?: { webhook_id: string; name: string; last_at: string }[]
}

export const overviewQuery = (days: number) =>
  queryOptions({
    queryKey: ['overview', days],
    queryFn: async ({ signal }) => (await get<Data<Overview>>('/web/overview', { days }, signal)).data,
    refetchInterval: 60_000,
  })

/** Whether there is any lead at all, however old. */
export const anyLeadQuery = queryOptions({
  queryKey: ['leads', 'any'],
  queryFn: async ({ signal }) => {
    const { data } = await get<Page<object>>('/web/leads', { limit: 1, from_date: '1970-01-01' }, signal)
    return data.length > 0
  },
})
