import type { Answer, Consent, Origin } from '../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry, isEmptyEnquiry } from '../../crm/enquiries/enquiry.ts'
import { answersIn, consentIn, originIn } from '../../crm/enquiries/readable-enquiry.ts'
import { joinConsent } from '../../crm/enquiries/stored-enquiry.ts'
import { fieldLabel } from '../../crm/leads/fields.ts'
import type { FreeValue } from '../payload/enquiry/part-of-value.ts'
import { readEnquiry } from '../payload/enquiry/read-enquiry.ts'
import { repeatsLead } from '../payload/enquiry/repeats-lead.ts'
import { partOfName } from '../payload/enquiry/word-part.ts'
import type { LeadDraft } from '../payload/lead-draft.ts'
import { fieldNamed } from './column-names.ts'
import { isOfEnquiry } from './contract.ts'
import type { Cell } from './row-cell.ts'

/** The enquiry of a row: its cells in their order, and before them the answers of an export. What a field says already is no answer. */
export function enquiryOf(given: Cell[], kept: ReadonlySet<Cell>, lead: LeadDraft): EnquiryDraft | null {
  const answers: Answer[] = []
  const origin: Origin = {}
  const consents: Consent[] = []
  const free = given.flatMap((cell): FreeValue[] => {
    const { field, name, value } = cell
    if (kept.has(cell) || field === 'answer')
      return repeatsLead(lead, name, value) ? [] : [{ question: name, value, part: 'answer' }]
    // The source of a lead may be a UTM value, too.
    if (field === 'source' && partOfName(name).part === 'utm_source')
      return [{ question: name, value, part: 'utm_source' }]
    if (!isOfEnquiry(field)) return []
    const given = field === 'consent' ? consentIn(value) : undefined
    if (given) {
      consents.push(given)
      return []
    }
    if (field !== 'answers' && field !== 'origin') {
      // An export has the name in the language of the page.
      const question = field === 'do_not_call' && fieldNamed(name) === field ? fieldLabel(field) : name
      return [{ question, value: withoutName(question, value), part: field }]
    }
    const exported = field === 'answers' ? answersIn(value) : originIn(value)
    if (!exported) return [{ question: name, value, part: 'answer' }]
    if (Array.isArray(exported)) answers.push(...exported)
    else Object.assign(origin, exported)
    return []
  })
  if (free.length + answers.length + consents.length + Object.keys(origin).length === 0) return null
  const { enquiry } = readEnquiry(free)
  const whole = fitEnquiry({
    ...enquiry,
    consent: consents.reduce(joinConsent, enquiry.consent),
    origin: { ...origin, ...enquiry.origin },
    answers: [...answers, ...enquiry.answers],
  })
  return isEmptyEnquiry(whole) ? null : whole
}

/** A mark against calls is stored with the name of its column: `Do not call: DND`. */
const withoutName = (name: string, value: string) =>
  value.startsWith(`${name}: `) ? value.slice(name.length + 2) : value
