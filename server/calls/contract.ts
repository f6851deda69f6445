import { type Static, Type } from 'typebox'
import { DateParameters, Instant, Line, Lines, Nullable, PageParameters, Uuid } from '../http/contract.ts'

const callTypes = ['Inbound', 'Outbound'] as const
export const callOutcomes = ['Completed', 'Busy', 'No Answer', 'Voicemail', 'Missed'] as const

const Duration = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds. 0 is a missed call.' })

export const NewCallLog = Type.Object({
  lead_id: Uuid('The lead that the call belongs to.'),
  call_type: Type.Enum([...callTypes]),
  duration_seconds: Duration,
  outcome: Type.Optional(Type.Enum([...callOutcomes], { description: 'Default: Completed.' })),
  notes: Type.Optional(Lines(20_000)),
  called_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the call happened, ISO 8601 with Z or an offset. Default: now.',
    }),
  ),
})
export type NewCallLog = Static<typeof NewCallLog>

export const CallLog = Type.Object({
  id: Uuid(),
  lead_id: Uuid(),
  call_type: Type.Enum([...callTypes]),
  duration_seconds: Duration,
  outcome: Type.Enum([...callOutcomes]),
  notes: Nullable(Type.String()),
  called_at: Instant(),
  created_at: Instant(),
})
export type CallLog = Static<typeof CallLog>

/** As the web app shows it among others. */
export interface CallPreview extends CallLog {
  /** The notes are their beginning: the call by itself has them whole. */
  notes_cut: boolean
}

/** As the web app lists it. */
export interface ListedCall extends CallPreview {
  lead_name: string
  lead_phone: string | null
  /** The email of the person to whom the call's lead is assigned. */
  assigned_to: string | null
  /** It came in, was missed, and nobody has called back or been reached since. */
  unreturned: boolean
}

export const CallLogQuery = Type.Object({
  ...DateParameters,
  lead_id: Type.Optional(Uuid()),
  call_type: Type.Optional(Type.Enum([...callTypes])),
  ...PageParameters,
})
export type CallLogQuery = Static<typeof CallLogQuery>

/** A call of the lead whose page it is logged on. */
export const NewCallOfLead = Type.Omit(NewCallLog, ['lead_id'])

const Flag = (description: string) => Type.Optional(Type.Enum(['true', 'false'], { description }))

/** What the web app's list of calls chooses by. A person is the one to whom the call's lead is assigned. */
export const CallSearch = Type.Object({
  ...CallLogQuery.properties,
  outcome: Type.Optional(Type.Enum([...callOutcomes])),
  assigned_to: Type.Optional(Line(254)),
  missed: Flag('Nobody spoke: of 0 seconds, or with the outcome Missed.'),
  unreturned: Flag('Missed calls that came in, after which nobody has called back or been reached.'),
})
export type CallSearch = Static<typeof CallSearch>
