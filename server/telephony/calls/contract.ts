import { type Static, Type } from 'typebox'
import { maxLostReasonLength } from '../../access/account/contract.ts'
import {
  type CallPreview,
  callOutcomes,
  callTypes,
  type LeadChange,
  maxNoNextStepLength,
  newLeadFields,
  reviewMarks,
} from '../../crm/leads/contract.ts'
import {
  ChangeParameters,
  DateParameters,
  Instant,
  Line,
  Lines,
  Nullable,
  PageParameters,
  sampleId,
  Uuid,
} from '../../platform/http/contract.ts'

export {
  type CallOutcome,
  type CallPreview,
  type CallReview,
  type CallType,
  callOutcomes,
  callTypes,
  type ReviewMark,
  reviewMarks,
} from '../../crm/leads/contract.ts'

const TypeOfCall = Type.Enum([...callTypes], { title: 'CallType', description: 'Inbound: the lead called you.' })
const Outcome = (options: { description?: string } = {}) =>
  Type.Enum([...callOutcomes], { title: 'CallOutcome', ...options })
const Duration = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds. 0 is a missed call.' })

// Schemas are built from these: the web app leaves them out only if nothing reads their properties.
const newCallFields = {
  call_type: TypeOfCall,
  duration_seconds: Duration,
  outcome: Type.Optional(Outcome({ description: 'Default: Completed.' })),
  notes: Type.Optional(Lines(20_000, { description: 'Free text, with newlines.' })),
  called_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the call happened, ISO 8601 with Z or an offset. Default: now.',
    }),
  ),
}

export const NewCallLog = Type.Object(
  { lead_id: Uuid('The lead that the call belongs to.'), ...newCallFields },
  {
    title: 'NewCallLog',
    description: 'A call with a lead. A value that is null or blank counts as not given.',
  },
)
export type NewCallLog = Static<typeof NewCallLog>

/** What is known of a call, whether it is logged or not. */
export const callFields = {
  call_type: TypeOfCall,
  duration_seconds: Duration,
  outcome: Outcome({ description: 'How the call ended.' }),
  notes: Nullable(Type.String({ description: 'Free text, with newlines.' })),
  called_at: Instant('When the call happened. Lists are sorted by it.'),
}

export const CallLog = Type.Object(
  {
    id: Uuid('Id of the call log.'),
    lead_id: Uuid('The lead that the call belongs to.'),
    ...callFields,
    created_at: Instant('When the call was logged.'),
  },
  { title: 'CallLog' },
)
export type CallLog = Static<typeof CallLog>

export const CallLogResponse = Type.Object({ data: CallLog }, { title: 'CallLogResponse' })

/** A call logged in the web app, with what it changes of its lead. */
export const NewCallOfLead = Type.Object({
  ...newCallFields,
  status: newLeadFields.status,
  call_again_at: Type.Optional(Type.String({ format: 'date-time' })),
  no_next_step: Type.Optional(Line(maxNoNextStepLength)),
  lost_reason: Type.Optional(Line(maxLostReasonLength)),
})
export type NewCallOfLead = Static<typeof NewCallOfLead>

/** `previous` has the values that the changed fields of the lead had, for undo. */
export interface LoggedCall {
  data: CallLog
  /** The lead was reassigned during the call, which is logged for who called. */
  is_reassigned?: true
  /** The time to call again that the new owner of a reassigned lead gets. */
  planned_at?: string
  /** The notes of the call say what else was chosen for a reassigned lead. */
  is_rest_noted?: true
  /** When Call next has the lead again: it was not reached, and has no other next step. */
  retry_at?: string
  previous: Pick<LeadChange, 'status' | 'call_again_at' | 'no_next_step' | 'lost_reason'>
}

/** In milliseconds. A call from so long before a promise keeps it, as `note_calls.sql` decides. */
const early = 15 * 60_000
/** Whether a call at this moment leaves the time to call again as it is. */
export const leavesPromise = (promised: string | Date | null, calledAt: number) =>
  promised !== null && new Date(promised).getTime() - early > calledAt

/** The newest notes of the calls with a lead, cut. */
export interface LastCallNotes {
  /** When that call was: if it is not the last one, later ones have no notes. */
  called_at: string
  notes: string
}

/** A call in the web app's list of calls. */
export interface ListedCall extends CallPreview {
  lead_name: string
  lead_phone: string | null
  /** The email of the lead's owner. */
  assigned_to: string | null
  /** A missed inbound call without a later call back or answered call. */
  unreturned: boolean
}

const callFilters = {
  ...DateParameters,
  lead_id: Type.Optional(Uuid('Only calls with this lead.', sampleId)),
  call_type: Type.Optional(TypeOfCall),
  ...PageParameters,
}

export const CallLogQuery = Type.Object({
  ...ChangeParameters(
    'Only calls that were logged or changed at or after this time, ISO 8601 with Z or an offset, in this order. Without ' +
      'dates: of all days.',
  ),
  ...callFilters,
})
export type CallLogQuery = Static<typeof CallLogQuery>

const correctedFields = {
  lead_id: Type.Optional(Uuid()),
  call_type: Type.Optional(TypeOfCall),
  outcome: Type.Optional(Outcome()),
  duration_seconds: Type.Optional(Duration),
  notes: Type.Optional(Nullable(Lines(20_000))),
  called_at: Type.Optional(Type.String({ format: 'date-time' })),
}

/** A correction in the web app. `was`: the values that the form showed for the fields it changes. */
export const CallCorrection = Type.Object({
  ...correctedFields,
  was: Type.Optional(Type.Object(correctedFields)),
})
export type CallCorrection = Static<typeof CallCorrection>

/** A call in the web app with all of its notes. */
export interface WholeCall extends CallLog {
  /** Whether the user called, or is a Manager or an Admin. */
  may_correct: boolean
}

export const maxRemarkLength = 1000

export const NewCallReview = Type.Object({
  mark: Type.Enum([...reviewMarks]),
  remark: Type.Optional(Nullable(Lines(maxRemarkLength))),
})

export const callSorts = ['newest', 'oldest', 'longest'] as const
export type CallSort = (typeof callSorts)[number]

export const reviewFilters = ['reviewed', 'good', 'to_improve', 'not_reviewed'] as const

const Flag = (description: string) => Type.Optional(Type.Enum(['true', 'false'], { description }))

const searchFields = {
  ...callFilters,
  min_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'The least duration.' })),
  review: Type.Optional(Type.Enum([...reviewFilters], { description: 'An Agent sees reviews of own calls.' })),
  outcome: Type.Optional(Outcome()),
  assigned_to: Type.Optional(Line(254, { description: 'The email of the lead’s owner, or `nobody`.' })),
  owner_at_call: Type.Optional(
    Line(254, { description: 'Email of the user who owned the lead when it was called, or `nobody`.' }),
  ),
  called_by: Type.Optional(Line(254, { description: 'The email of the user who called or answered, or `unknown`.' })),
  source: Type.Optional(Line(200, { description: 'The source of the lead.' })),
  search: Type.Optional(
    Line(200, { description: 'Words of the lead’s name, company, city or tag, a phone or an email.' }),
  ),
  connected: Flag('Completed calls of more than 0 seconds.'),
  missed: Flag('Calls of 0 seconds or with the outcome Missed.'),
  unreturned: Flag('Missed inbound calls without a conversation or three outgoing calls since.'),
}

/** The filters of the web app's list of calls, and of its totals. A search without dates covers all calls. */
export const CallSearch = Type.Object(searchFields)
export type CallSearch = Static<typeof CallSearch>

/** The query of the list and its export. */
export const CallList = Type.Object({
  ...searchFields,
  sort: Type.Optional(Type.Enum([...callSorts], { description: 'Default: newest.' })),
})

/** The figures of the calls that match the filters. */
export interface CallTotals {
  calls: number
  /** Completed, and longer than 0 seconds. */
  connected: number
  talk_seconds: number
  /** Inbound. */
  missed: number
  /** Missed inbound calls without a conversation or three outgoing calls since. */
  unreturned: number
  /** The figures are lower bounds: there are more calls, or more leads match the search. */
  capped: boolean
}
