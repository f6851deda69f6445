import { type Consent, type Origin, originParts } from '../../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry } from '../../../crm/enquiries/enquiry.ts'
import type { EnquiryPart } from '../contract.ts'
import { isBlank, isId } from '../structure/values.ts'
import { originOfPage } from './origin-of-page.ts'
import { isOfConsent, partOfName } from './word-part.ts'

/** A value that no lead field takes. */
export interface FreeValue {
  /** Its best name. */
  question: string
  value: string
  /** The names around it, innermost first. */
  around?: readonly string[]
  /** It is a box that was ticked or not. */
  isChoice?: boolean
  /** What the mapping or the sender says that it is. */
  part?: EnquiryPart | undefined
  /** Whether it is where the sender has answers, and only these. */
  isAsked?: boolean
  /** It is not where the sender has answers. */
  isOutside?: boolean
}

/** Returns what a value is, by its declaration, the words of its names and how it is written. */
export function partOf({
  question,
  value,
  around = [],
  part,
  isAsked = false,
  isOutside = false,
}: FreeValue): EnquiryPart {
  if (part !== undefined) return part
  const [outer] = around
  const name = partOfName(outer !== undefined && isOfConsent(outer) ? `${outer} ${question}` : question)
  if (name.part !== undefined && (name.part === 'left_out' ? !isAsked : suits(name.part, value))) return name.part
  if (isOutside || isMachines(value)) return 'left_out'
  if (name.isQuestion || isAsked) return 'answer'
  return around.some((one) => programs.test(one)) || isTechnicalValue(question, value) ? 'left_out' : 'answer'
}

/** A page is a URL; the other parts may be any text. */
function suits(part: EnquiryPart, value: string): boolean {
  if (part === 'page_url') return isLink(value)
  return !/_clid$|^gclid$|^fb/.test(part) || !/\s/.test(value)
}

const isLink = (text: string) =>
  /^(https?:\/\/|www\.|\/[\w-])\S*$/i.test(text) || /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text)

/** The parts of a payload in which programs write about themselves. */
const programs =
  /^(headers?|meta(data)?|_meta|context|server|client|session|device|browser|geo|location_data|tracking|analytics|workspace|account|tenant|organi[sz]ation|owner|assignee|assigned_?(to|user)|agent|user|webhook|integration|settings|config|system|request|links?|_links|debug|security|validation|technical|system_?info)$/i

/** Written by programs, whatever their name is. */
function isMachines(value: string): boolean {
  return (
    /^mozilla\/\d|^(\d{1,3}\.){3}\d{1,3}(:\d+)?$|^[\da-f]{1,4}(:[\da-f]{0,4}){3,7}$|^ey[\w-]+\.[\w-]+\.|^(sha\d+|bearer|basic)[= ]/i.test(
      value,
    ) || /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$|^[\da-f]{24,}$/i.test(value)
  )
}

/** Under a name that is no question: ids, times of programs, and links but those of files that a person sent. */
function isTechnicalValue(question: string, value: string): boolean {
  if (/^https?:\/\/\S+$/i.test(value)) return !files.test(question) && !files.test(value)
  if (isTime.test(value)) return !appointments.test(question)
  return /^1[5-9]\d{8}(\d{3})?$/.test(value) || (isId(value) && !/\s/.test(value))
}

const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(z|[+-]\d\d:?\d\d| utc| gmt)?$/i
const appointments =
  /visit|appoint|slot|prefer|book|sched|check|travel|arriv|depart|event|deliver|birth|dob|wedding|marriage|call ?back|demo|meeting|pickup|move|possession|when/i
const files =
  /resume|\bcv\b|file|upload|attach|document|photo|image|brochure|plan|bill|prescription|report|portfolio|\.(pdf|docx?|jpe?g|png|heic|xlsx?)(\?|$)/i
/** Reads the enquiry of the values that no lead field takes, in their order. `parts`: what each of them is. */
export function readEnquiry(values: readonly FreeValue[]): { enquiry: EnquiryDraft; parts: EnquiryPart[] } {
  const origin: Origin = {}
  const answers = new Map<string, string[]>()
  const consent: Consent = { statements: [] }
  const parts = values.map((free) => {
    const { value, isChoice = false } = free
    const question = free.question.trim()
    // A box that was left empty is a choice, an empty text is none.
    if (isBlank(value.trim()) && !(isChoice && value !== '')) return 'left_out'
    const part = partOf(free)
    const said = /^(true|false)$/i.test(value.trim()) ? (/true/i.test(value) ? 'Yes' : 'No') : value.trim()
    if (part === 'answer') answers.set(question, [...new Set([...(answers.get(question) ?? []), said])])
    else if (part === 'consent') addConsent(consent, question, said)
    else if (part === 'consent_at') consent.at ??= said
    else if (part === 'consent_page') consent.page ??= said
    else if (part === 'do_not_call') {
      if (no.test(said)) return 'left_out'
      consent.do_not_call ??= yes.test(said) ? question : `${question}: ${said}`
    } else if (part !== 'left_out') origin[part] ??= said
    return part
  })
  const ofPage = originOfPage(origin.page_url ?? '')
  const complete: Origin = {}
  for (const part of originParts) {
    const value = origin[part] ?? ofPage[part]
    if (value !== undefined) complete[part] = value
  }
  const isConsent = Object.keys(consent).length > 1 || consent.statements.length > 0
  const list = [...answers].map(([question, said]) => ({ question, answer: said.join(', ') }))
  return {
    enquiry: fitEnquiry({ origin: complete, answers: list, consent: isConsent ? consent : null, omitted: 0 }),
    parts,
  }
}

const no = /^(0|no|n|false|off|none|null|not (dnd|registered|found))$/i
const yes = /^(1|yes|y|true|on)$/i

/** A text and a choice that stand beside each other belong together. */
function addConsent({ statements }: Consent, question: string, said: string): void {
  const isText = said.split(/[\s_]+/).length > 4
  const asked = question.split(/[\s_]+/).length > 4 ? question : null
  const last = statements.at(-1)
  if (isText && asked === null) {
    if (last && last.text === null) last.text = said
    // A box whose value is its text was ticked.
    else statements.push({ text: said, choice: isShown.test(question) ? null : 'Yes' })
  } else if (asked === null && last && last.choice === null) last.choice = said
  else statements.push({ text: asked ?? (isText ? null : namedIn(question)), choice: said })
}

const isShown = /text|label|statement|copy|wording|message|title|content/i

/** `whatsapp_optin` says what was chosen; `consent` does not. */
const namedIn = (question: string) =>
  /^(consent|gdpr|agree|accept(ed|ance)?|given|granted|value|choice|status|is_?checked|checked|terms)([_ -]?(given|status|\d+))?$/i.test(
    question,
  )
    ? null
    : question
