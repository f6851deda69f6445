import { type Static, Type } from 'typebox'
import { Enquiry, originParts } from '../../crm/enquiries/contract.ts'
import { AnsweredFields, leadFieldNames } from '../../crm/leads/contract.ts'
import { Lines, Nullable, Uuid } from '../../platform/http/contract.ts'
import { callFields } from '../../telephony/calls/contract.ts'

/** What a value of a lead can be: a lead's field, a part of its name, its other contacts, or nothing. */
export const leadTargets = [...leadFieldNames, 'first_name', 'last_name', 'other_contacts', 'ignore'] as const
export type LeadTarget = (typeof leadTargets)[number]

/** What a value of a telephone system's event says of the call. */
export const callTargets = [
  'call_id',
  'call_direction',
  'call_state',
  'call_outcome',
  'call_start',
  'call_talk_time',
  'call_agent',
  'call_recording',
  'call_notes',
] as const
export type CallTarget = (typeof callTargets)[number]

/** What a value that no lead field takes is. Those of `consent` are texts and choices. */
export const enquiryParts = [
  ...originParts,
  'answer',
  'consent',
  'consent_at',
  'consent_page',
  'do_not_call',
  'left_out',
] as const
export type EnquiryPart = (typeof enquiryParts)[number]

/** What a value of an enquiry can be mapped to. */
export const enquiryTargets = [
  'answer',
  'product',
  'campaign',
  'ad_set',
  'ad',
  'form',
  'keyword',
  'page_url',
  'consent',
  'do_not_call',
] as const satisfies EnquiryPart[]
export type EnquiryTarget = (typeof enquiryTargets)[number]

/** What an incoming field can be mapped to. */
export const mappedFields = [...leadTargets, ...enquiryTargets, ...callTargets] as const
export type MappedField = (typeof mappedFields)[number]

export const isEnquiryTarget = (field: MappedField): field is EnquiryTarget =>
  enquiryTargets.includes(field as EnquiryTarget)

export const isLeadTarget = (field: MappedField): field is LeadTarget => leadTargets.includes(field as LeadTarget)

export const isCallTarget = (field: MappedField): field is CallTarget => callTargets.includes(field as CallTarget)

export const MappedFieldSchema = () => Type.Enum([...mappedFields])

/** Set by hand: the value at `path` is `field`. */
export const MappingEntry = Type.Object({ path: Lines(2000), field: MappedFieldSchema() })
export type MappingEntry = Static<typeof MappingEntry>

/** Whether recognition is sure of a field. One that is only suggested is not used for the lead. */
const confidences = ['sure', 'unsure', 'suggested'] as const
export type Confidence = (typeof confidences)[number]

const By = () => Type.Enum(['owner', 'learned', 'recognised'])

/** The value that a payload has for a field, where it was found and why. */
export const FieldMatch = Type.Object({
  field: MappedFieldSchema(),
  path: Type.String(),
  value: Type.String(),
  reason: Type.String(),
  /** The manual mapping, that of another webhook, or recognition. */
  by: By(),
  /** Set for a recognised field. */
  confidence: Type.Optional(Type.Enum([...confidences])),
})
export type FieldMatch = Static<typeof FieldMatch>

/** Whether somebody should look at the field before it counts. */
export const isUncertain = ({ confidence }: Pick<FieldMatch, 'confidence'>) =>
  confidence === 'unsure' || confidence === 'suggested'

export const Warning = Type.Object({ field: Type.String(), message: Type.String() })
export type Warning = Static<typeof Warning>

/** Whether a phone or an email was sent that is none, and not that a field is missing. */
export const isInvalidContact = ({ field, message }: Warning) =>
  (field === 'phone' || field === 'email') && message.includes(' is not a valid ')

/** A value of a payload: `segments` is its place in the tree, `path` its name in a mapping. */
const Value = Type.Object({
  path: Type.String(),
  segments: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  value: Type.String(),
  /** The lead field it is used for, by what and why; null if it is not used. */
  field: Nullable(MappedFieldSchema()),
  by: Nullable(By()),
  reason: Nullable(Type.String()),
  confidence: Nullable(Type.Enum([...confidences])),
  /** What it is for the enquiry; null if it is a field. */
  part: Nullable(Type.Enum([...enquiryParts])),
})

/** The most records that are split off a body at once. The rest of the body follows them as one more. */
export const maxRecords = 5000

export const DeliveryPreview = Type.Object({
  values: Type.Array(Value),
  picks: Type.Array(FieldMatch),
  warnings: Type.Array(Warning),
  /** What it would become now. `call`: an event without the number, which another event of the call has. */
  outcome: Type.Enum(['lead', 'call', 'ignored', 'test', 'rejected']),
  /** Why it would make no lead. */
  error: Nullable(Type.String()),
  /** The lead that it would make. */
  lead: Nullable(AnsweredFields),
  /** The enquiry that it would bring to the lead, beside the message, which is among the lead's notes. */
  enquiry: Nullable(Type.Pick(Enquiry, ['origin', 'answers', 'consent', 'omitted'])),
  /** The fields of the lead that the payload does not contain. */
  from_defaults: Type.Array(Type.String()),
  /**
   * Set for a request with several records, of which the other fields show the first: how many there are (`more`: and others
   * beyond these), and the outcomes of the first hundred.
   */
  records: Nullable(
    Type.Object({
      total: Type.Integer(),
      more: Type.Boolean(),
      leads: Type.Integer(),
      /** Tests and events. */
      ignored: Type.Integer(),
      rejected: Type.Integer(),
    }),
  ),
  /** The call that an event of a telephone system would make if no other event of it came. */
  call: Nullable(
    Type.Object({
      ...callFields,
      agents: Type.Array(Type.String()),
      recording_url: Nullable(Type.String()),
    }),
  ),
  rule: Nullable(Type.Object({ id: Uuid(), name: Type.String() })),
})
export type DeliveryPreview = Static<typeof DeliveryPreview>
