import { figureNames } from '../../crm/leads/export-columns.ts'
import { contextOfLabel, fieldLabel } from '../../crm/leads/fields.ts'
import { type Language, languages } from '../../platform/languages/contract.ts'
import { translate, translateWord } from '../../platform/languages/translate.ts'
import { folded } from '../../platform/text/contract.ts'
import { type ImportField, importFields, isOfEnquiry } from './contract.ts'

/** The last column of a file of rejected rows, and of one of rows with a warning. */
export const reasonColumns = { rejected: 'Why rejected', warned: 'Import warning' }

/**
 * Names that columns have in the exports of other systems and in people's own lists, beside the fields' own names and labels in each
 * language. Fields that recognition finds by other names, such as company and city, are not repeated here.
 */
const knownNames: Partial<Record<ImportField, string>> = {
  first_name: 'contact first name, lead first name, middle name',
  last_name: 'contact last name, lead last name',
  name: 'lead name, contact name, full name, customer name, person - name, name of lead, ग्राहक का नाम',
  phone: `mobile, mobile number, mobile no, mobile phone, mobile phone number, phone number, phone no, contact number,
    contact no, customer number, primary phone, primary mobile, whatsapp number, person - phone - mobile, person - phone - work,
    person - phone - other, person - phone, work phone, home phone, other phone, alternate phone, alternate number,
    secondary phone, मोबाइल नंबर, फोन नंबर`,
  email: `email address, e-mail, email id, primary email, work email, person - email - work, person - email - home,
    person - email - other, person - email, home email, work e-mail, home e-mail, secondary email, alternate email`,
  other_contacts: 'other contacts',
  // The word of earlier versions in Hindi.
  product: 'उत्पाद',
  company: 'account name, company name, organization, organization - name, organization name, lead - organization',
  city: 'primary city, mailing city, city name, lead city',
  source: 'lead source, lead origin, original source, original traffic source, source name, enquiry source',
  status: 'lead status, lead stage, stage, prospect stage, lead - status, deal stage, contact stage, स्टेटस',
  priority: 'rating, lead rating, lead priority, lead - label, temperature',
  tags: 'tag, labels, label, lead tags, categories',
  deal_value:
    'amount, value, expected revenue, expected deal value, deal amount, opportunity amount, budget, lead value, lead - value, बजट, रकम, राशि',
  notes:
    'description, comment, comments, remarks, note, lead notes, requirement, message, मैसेज, संदेश, पूछताछ, टिप्पणी, विवरण',
  assigned_to: `lead owner, owner, owner email, lead owner email, contact owner, responsible, responsible person, assignee,
    assigned user, sales owner, assigned to email, assigned agent, lead - owner, sales person, salesperson, telecaller,
    agent, agent name, counsellor, कर्मचारी`,
  created_at: `created, created time, create date, created date, created on, date created, creation date, creation time,
    create time, created date time, date of creation, lead created on, lead created, lead created date, lead created at,
    lead - lead created, lead - lead created on, person - person created, enquiry date, inquiry date, enquiry on,
    lead date, date, date time, date and time, added, date of lead, time of lead, query time, deal - deal created, date added, added on, added at, added time, add time, received on, received at, received date, submitted at,
    submitted on, timestamp, submission date, registered on, दिनांक, तारीख`,
  updated_at: `updated, updated time, update time, updated on, last updated, last updated on, last updated at,
    modified time, modified on, modified date, last modified, last modified date, last modified on, last modified time,
    last modified at, modified, lead - update time`,
  call_again_at: `call again on, next follow up, next follow up date, next followup, next followup date, follow up date, followup date,
    follow up on, followup on, follow up time, call back on, call back date, callback date, callback time, next call, next call date,
    next call on, next activity date, deal - next activity date, reminder, reminder date`,
  lost_reason: `reason lost, reason for loss, lead lost reason, closed lost reason, lost reason detail, disqualification reason,
    disqualified reason, rejection reason, drop reason, deal - lost reason, loss reason`,
  called_at: `call time, call date, call date time, call datetime, call start time, call started at, call started on,
    call start date, called on, call created time, call timestamp, date of call`,
  call_type: 'call type, call direction, direction, type of call',
  call_duration: `call duration, duration, talk time, call duration in seconds, call duration seconds, call duration sec,
    call duration s, call duration in minutes, call duration minutes, call duration mins, duration seconds,
    duration in seconds, duration sec, duration s, duration in minutes, duration minutes, duration mins`,
  call_outcome: 'call outcome, call status, call result, disposition, call disposition, outgoing call status',
  ignore: Object.values(reasonColumns).join(),
  call_notes:
    'call notes, call note, call remarks, call remark, call description, call comments, call comment, call agenda',
}

/** At the end of a name of a column of times: Created (IST), created_at_utc, Date (GMT+05:30). */
const zone = /[\s_(-]+(?:ist|(?:utc|gmt)(?:\s*([+-])(\d{1,2}):?(\d\d)?)?)\)?\s*$/i

/** Returns the offset that a column's name states, as it can follow a time: UTC, +05:30; undefined if there is none. */
export function zoneIn(name: string): string | undefined {
  const [text, sign, hours, minutes = '00'] = zone.exec(name) ?? []
  if (text === undefined) return undefined
  if (sign) return `${sign}${hours}:${minutes}`
  return /ist\)?\s*$/i.test(text) ? 'IST' : 'UTC'
}

/** Returns the name as it is compared: 'Call Duration (in seconds)' is call_duration_in_seconds. */
const spelled = (name: string) =>
  folded(name)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replace(/^_|_$/g, '')

/** What the web app and the export call a field, beside its label. */
const otherLabels: Partial<Record<ImportField, string>> = {
  created_at: 'Created',
  updated_at: 'Updated',
  called_at: 'Call time',
  call_again_at: 'Call again',
}

function labelsOf(field: ImportField): string[] {
  const labels = [fieldLabel(field), otherLabels[field] ?? []].flat()
  const inOthers = labels.flatMap((label) =>
    Object.keys(languages).map((language) => translateWord(label, language as Language, contextOfLabel[field])),
  )
  // What is no field is recognised by the words of its name and by its values.
  return isOfEnquiry(field) ? inOthers.filter((label) => !labels.includes(label)) : [field, ...labels, ...inOthers]
}

/** Pipedrive writes whose field it is before each name. */
export const withoutObject = (name: string) => name.replace(/^(deal|person|lead|contact|sender|query)( - |_)(?=.)/i, '')

export const timeFields: readonly ImportField[] = ['created_at', 'updated_at', 'called_at', 'call_again_at']

let fieldsByName: ReadonlyMap<string, ImportField> | undefined

const readNames = () =>
  new Map<string, ImportField>([
    ...importFields
      .filter((field) => field !== 'ignore')
      .flatMap((field) => labelsOf(field).map((label) => [spelled(label), field] as const)),
    // Figures of the account that exported the file.
    ...figureNames.flatMap((name) =>
      Object.keys(languages).map((language) => [spelled(translate(name, language as Language)), 'ignore'] as const),
    ),
    ...Object.entries(knownNames).flatMap(([field, names]) =>
      names.split(',').map((name) => [spelled(name), field as ImportField] as const),
    ),
  ])

/** Returns the field whose exact name a column has. A column of times may also name their zone. */
export function fieldNamed(name: string): ImportField | undefined {
  fieldsByName ??= readNames()
  const field = fieldsByName.get(spelled(name)) ?? fieldsByName.get(spelled(withoutObject(name)))
  if (field) return field
  const timed = fieldsByName.get(spelled(name.replace(zone, '')))
  return timed && timeFields.includes(timed) ? timed : undefined
}
