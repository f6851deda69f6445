import { Type } from 'typebox'
import type { LeadStatus } from '../../crm/leads/contract.ts'
import type { MappedField } from '../../intake/payload/contract.ts'
import type { CallOutcome } from '../../telephony/calls/contract.ts'

export const OverviewQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'Today and the days before; 1 is today alone.',
    }),
  ),
})

export const maxGoingCold = 1000

/** The time to first call is that of so many of the newest leads that were called. */
export const maxCalledLeads = 100_000

type Amounts<Word extends string> = Partial<Record<Word, number>>

export interface Overview {
  from_date: string
  to_date: string
  leads: {
    total: number
    by_source: Record<string, number>
    by_status: Amounts<LeadStatus>
    days: { day: string; total: number; by_source: Record<string, number>; by_status: Amounts<LeadStatus> }[]
  }
  calls: {
    total: number
    by_outcome: Amounts<CallOutcome>
    days: { day: string; total: number; by_outcome: Amounts<CallOutcome> }[]
  }
  /** Leads by owner, and calls by who called. */
  people: { name: string; email: string; leads: number; calls: number }[]
  unassigned_leads: number
  /**
   * In rupees: deal values of the leads of the period, `expected` weighs those of open leads by the probability of their status. `won`: of
   * leads that were won in the period.
   */
  deals: { by_status: Amounts<LeadStatus>; expected: number; won: number }
  /** In rupees, of the last six months, as 2026-11, whatever the period is. The newest is first. */
  won_by_month: { month: string; value: number }[]
  /** Calls of no known user. */
  unknown_calls: number
  first_call: { median_seconds: number | null; leads: number }
  missed_calls: { missed: number; unreturned: number }
  /** Leads that enquired again, by the source of their last enquiry. */
  repeat_enquiries: { total: number; by_source: Record<string, number> }
  /** For Managers and Admins: counted up to `maxGoingCold`. */
  going_cold?: number
  /** For Admins. */
  rejected_deliveries?: {
    total: number
    newest_at: string | null
    webhooks: { webhook_id: string; name: string; rejected: number; newest_at: string }[]
  }
  /** Deliveries with a possible phone or email, or of webhooks that have not created a lead yet. */
  ignored_deliveries?: {
    webhook_id: string
    name: string
    ignored: number
    newest_at: string
    has_made_lead: boolean
  }[]
  /** Webhooks that ignore many deliveries since a day, though few were ignored before, of how many. */
  changed_webhooks?: { webhook_id: string; name: string; day: string; ignored: number; received: number }[]
  /** Deliveries cut because the storage quota was used up, of the last 31 days at most. */
  cut_deliveries?: { webhook_id: string; name: string; cut: number; dropped: number }[]
  /** Webhooks whose first delivery has unsure fields, until their mapping is saved or confirmed. */
  unsure_webhooks?: { webhook_id: string; name: string; fields: MappedField[] }[]
  silent_webhooks?: { webhook_id: string; name: string; last_at: string }[]
  /** Numbers and extensions that users added and no Admin has confirmed. */
  pending_phone_lines?: number
}
