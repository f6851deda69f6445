import { type Static, Type } from 'typebox'
import { type LeadStatus, leadFields } from '../../crm/leads/contract.ts'
import { DateParameters, Line, Lines } from '../../platform/http/contract.ts'

/** A report covers at most so many days, and is compared with as many days before. */
export const maxReportDays = 366

/** Managers see their team, and Agents themselves. */
export const ReportQuery = Type.Object({
  ...DateParameters,
  team: Type.Optional(Line(200, { description: 'The name of a team: only its users and their leads.' })),
  source: Type.Optional(
    Line(leadFields.source.maxLength, { description: 'The source of the lead, in upper or lower case.' }),
  ),
  compare: Type.Optional(
    Type.Enum(['days', 'month', 'quarter', 'year'], {
      description:
        'Compares with the same days a month, quarter or year before. Default: with as many days or whole months before.',
    }),
  ),
})
export type ReportQuery = Static<typeof ReportQuery>

/**
 * Figures of leads created in the period, by owner, of its calls, and of leads that were closed in it, by who owned them then. Money is in
 * rupees.
 */
export interface UserFigures {
  leads: number
  /** Those of the new leads that are in Won now. */
  converted: number
  /** In New, without a call. */
  uncalled: number
  first_call_median: number | null
  first_call_p90: number | null
  /** Outgoing, by who called. */
  calls: number
  /** Completed calls of more than 0 seconds in both directions, by who called or answered. */
  connected: number
  talk_seconds: number
  /** Missed inbound calls, by who owned the lead then. */
  missed: number
  /** Missed inbound calls that need a callback, by the owner now. */
  unreturned: number
  won: number
  won_value: number
  lost: number
}

/** Figures of all leads, as they are now. */
export interface CurrentFigures {
  overdue: number
  going_cold: number
}

export interface UserRow {
  /** The email of a user; `nobody` for unassigned leads, and `unknown` for calls of no known user. */
  key: string
  name: string
  active: boolean
  /** What the user is to win in the months of the period, in rupees. Null: no goal was set. */
  goal: number | null
  figures: UserFigures & CurrentFigures
  /** The period before. */
  before: UserFigures
}

interface Period {
  from_date: string
  to_date: string
}

interface Report extends Period {
  before: Period
  /** The teams that the user may choose from. */
  teams: string[]
}

export interface UserReport extends Report {
  total: Omit<UserRow, 'key' | 'name' | 'active'>
  rows: UserRow[]
  /** The months that goals are of, as 2026-11; null if the period is not of whole months, or of a month until today. */
  goal_months: string[] | null
  /** For each user and month. */
  goals: { email: string; month: string; won_value: number }[]
  /** The new leads by status, and how many of the lost ones had it last. Null: that is not known. */
  funnel: { status: OpenStatus | 'Won' | null; leads: number; lost: number }[]
  /** Why leads were lost in the period, the most frequent reason first, and the statuses they had. Null: not given, and not known. */
  lost_reasons: { reason: string | null; n: number; by_status: { status: OpenStatus | null; n: number }[] }[]
  /** All open leads with a deal value, as they are now. */
  forecast: Forecast
}

export const openStatuses = ['New', 'Contacted', 'Qualified', 'Proposal'] as const satisfies LeadStatus[]
export type OpenStatus = (typeof openStatuses)[number]

/** Money is in rupees. `weighted`: by the probability of each status, in percent. */
export interface Forecast {
  by_status: { status: OpenStatus; leads: number; value: number; probability: number; weighted: number }[]
  /** As 2026-11, the earliest first. `overdue`: expected before today. `null`: without a date. */
  by_month: { month: string | 'overdue' | null; leads: number; value: number; weighted: number }[]
}

/** What a report may compare beside users. */
export const originGroups = ['source', 'campaign', 'ad', 'form', 'product'] as const
export type OriginGroup = (typeof originGroups)[number]

export const OriginQuery = Type.Object({
  ...ReportQuery.properties,
  group_by: Type.Optional(Type.Enum([...originGroups], { description: 'Default: source.' })),
})
export type OriginQuery = Static<typeof OriginQuery>

/** Names with a row of their own, on the page and in the file. */
export const maxNames = { page: 200, file: 10_000 }

/** Figures of leads created in the period, and of those that were closed in it. */
export interface OriginFigures {
  leads: number
  uncalled: number
  /** New leads that are won, or in Contacted, Qualified or Proposal. */
  contacted: number
  /** New leads that are won, or in Qualified or Proposal. */
  qualified: number
  /** New leads that are in Won now. */
  converted: number
  won: number
  won_value: number
  lost: number
}

/** Only in the report of an Admin without a team. */
interface AccountFigures {
  /** Rejected deliveries of webhooks whose leads have this source. */
  rejected: number
  /** The part of the cost per month that falls on the days of the period. Null: none was entered. */
  cost: number | null
  /** Null without a cost or such leads, and for joined names. In the total, of the rows that have a cost. */
  cost_per_lead: number | null
  cost_per_converted: number | null
}

export interface OriginRow {
  /** The source, campaign, ad, form or product. Null: leads that name none, or names that are joined. */
  name: string | null
  /** How many names have no row of their own and are joined in this one. */
  joined?: number
  figures: OriginFigures & Partial<AccountFigures> & { enquired_again: number }
  before: OriginFigures
}

export interface OriginReport extends Report {
  group_by: OriginGroup
  total: Omit<OriginRow, 'name' | 'joined'>
  rows: OriginRow[]
  /** For Admins: what was entered for the months of the period. */
  costs?: { name: string; month: string; cost: number }[]
}

const Month = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', description: 'As 2026-11.' })

/** In rupees; null removes it. */
export const Goal = Type.Object({
  email: Line(254),
  month: Month,
  won_value: Type.Union([Type.Number({ minimum: 1, maximum: 9_999_999_999.99 }), Type.Null()]),
})
export type Goal = Static<typeof Goal>

/** In rupees; null removes it. */
export const OriginCost = Type.Object({
  kind: Type.Enum([...originGroups]),
  name: Lines(leadFields.source.maxLength, { minLength: 1 }),
  month: Month,
  cost: Type.Union([Type.Number({ minimum: 0, maximum: 9_999_999_999.99 }), Type.Null()]),
})
export type OriginCost = Static<typeof OriginCost>
