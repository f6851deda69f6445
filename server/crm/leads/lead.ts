import type { Contact } from '../contacts/contact.ts'
import type { EnquiryDraft } from '../enquiries/enquiry.ts'
import type { Lead, LeadPriority, LeadStatus } from './contract.ts'
import type { LeadField } from './fields.ts'

/** A lead's fields as they are stored; `assigned_to` is a user's id. */
export type LeadFields = Pick<Lead, LeadField>

/** The fields that a submission contains. */
export type GivenFields = { [Field in LeadField]?: NonNullable<LeadFields[Field]> }

export interface LeadRow extends LeadFields {
  id: string
  created_at: Date
  updated_at: Date
}

/** The phone and the email as they are compared. */
export interface ContactKeys {
  phone_key: string | null
  email_key: string | null
}

/** A contact of a lead beside its first phone and email, with its key. */
export interface OtherContact extends Contact {
  key: string
}

export interface LockedLead extends LeadRow, ContactKeys {}

/** A lead to be saved, from the API, the web app, a webhook or a file. */
export interface Submission {
  /** An `assigned_to` is the id of an active user that the actor may assign. */
  given: GivenFields & { name: string }
  /** Other contacts of the person. Two with one key are one. */
  contacts?: Contact[]
  /** What a phone field says beside its numbers: a line of the notes, also if the lead exists. */
  remark?: string
  /** For a new lead only. */
  defaults: { source: string; status: LeadStatus; priority: LeadPriority }
  /** What a merge does with a field that is not empty. */
  onMatch: 'replace' | 'fill'
  /** The kinds of contacts that may be somebody else's: they create a lead, but are merged into none. `question`: how they are named. */
  uncertain?: { field: 'phone' | 'email'; question: string }[]
  /** The owner of a new lead without `assigned_to`: by the account's rules if they apply, else `otherwise`. */
  assignment: { byRules: boolean; otherwise: string | null; webhook_id: string | null }
  /** What else the person sent, and the folder of its sender, if it is known. */
  enquiry?: EnquiryDraft
  platform?: string | null
  /** As the timeline names it: the API key “Website”. */
  sender: string
  received_at: Date
  /** When it is saved, if that may be long after it was received. */
  saved_at?: Date
  /** When a new lead was created and changed in the system that it comes from. Its timeline keeps the latter. */
  created_at?: Date | null
  updated_at?: Date | null
  /** It was processed before: if it changes nothing, it leaves no trace. */
  replayed?: boolean
  /** Entered by hand: the owner of a lead that the actor may not see is notified. */
  notifiesOwner?: boolean
  /** An event of a call: if it changes nothing, only the call is recorded. An unassigned lead that calls gets an owner, as a new lead does. */
  call?: 'Inbound' | 'Outbound'
}

export interface Saved {
  outcome: 'created' | 'merged'
  lead: LeadRow
  /** The actor may not see the matched lead: an answer contains only its id, status and times. */
  hidden: boolean
}
