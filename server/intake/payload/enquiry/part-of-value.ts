import { isEmail } from '../../../crm/contacts/contact.ts'
import { type OriginPart, originParts } from '../../../crm/enquiries/contract.ts'
import type { EnquiryPart } from '../contract.ts'
import { isId } from '../structure/values.ts'
import { isOfConsent, isPrograms, partOfName } from './word-part.ts'

/** A value that no lead field takes. */
export interface FreeValue {
  /** Its best name. */
  question: string
  value: string
  /** The names around it, innermost first. */
  around?: readonly string[]
  /** The object that it is in. */
  group?: unknown
  /** It is a box that was ticked or not. */
  isChoice?: boolean
  /** What the mapping or the sender says that it is. */
  part?: EnquiryPart | undefined
  /** It is where the sender has answers, and only these. */
  isAsked?: boolean
  /** It is not where the sender has answers. */
  isOutside?: boolean
}

/** Returns what a value is, by its declaration, the words of its names and how it is written. */
export function partOf(free: FreeValue): EnquiryPart {
  const { value, around = [], part, isAsked = false, isOutside = false } = free
  if (part !== undefined) return part
  const question = wholeName(free)
  const name = partOfName(question)
  if (name.part === 'left_out') {
    const isOthers = !name.isOfPerson || /\p{L}{3}/u.test(value)
    if (isPrograms(question) || (!isAsked && isOthers)) return 'left_out'
  } else if (name.part !== undefined && suits(name.part, question, value)) return name.part
  if (isOutside || isMachines(value)) return 'left_out'
  if (name.isQuestion || isAsked) return 'answer'
  // The person's own are contacts of the lead.
  if (isEmail(value)) return 'left_out'
  const isOfProgram = around.some((one) => programs.test(one)) && !collected.test(around[0] ?? '')
  return isOfProgram || isTechnicalValue(question, value) ? 'left_out' : 'answer'
}

export const isOrigin = (part: EnquiryPart | undefined): part is OriginPart => originParts.includes(part as OriginPart)

/** Returns the text of a question, and not the key that its form builder gave it. */
export const questionIn = (labels: readonly string[]): string | undefined =>
  labels.find((label) => /\s|[^\p{ASCII}]/u.test(label) || !/\d/.test(label)) ?? labels[0]

/** Returns what the names of a value say of it, if it is written so. */
export function partNamed(free: FreeValue): EnquiryPart | undefined {
  const question = wholeName(free)
  const { part } = partOfName(question)
  return part !== undefined && suits(part, question, free.value) ? part : undefined
}

/** `campaign: { name }` is the name of the campaign, and `utm: { source }` that of the source. */
function wholeName({ question, around = [] }: Pick<FreeValue, 'question' | 'around'>): string {
  const [outer] = around
  if (outer === undefined) return question
  const agreed = around.slice(0, 2).find(isOfConsent)
  if (agreed !== undefined) return `${agreed} ${question}`
  if (tracked.test(question) && tracking.test(outer)) return `utm ${question}`
  // Meta's lists of events are called so.
  return general.test(question) && outer !== 'entry' ? `${outer} ${question}` : question
}

/** Names that say something only with what is around them. */
export const general =
  /^(name|title|id|uuid|key|code|label|headline|text|source_?id|source_?url|url|uri|link|href|number|no|ref|reference|type|status|size|filename|mime_?type)$/i
const tracking =
  /^(utms?|utm_?(params|parameters|data|tags)|tracking|attribution\w*|traffic|analytics|marketing|first_?touch|last_?touch)$/i
const tracked = /^(source|medium|campaign|term|content)$/i

function suits(part: EnquiryPart, question: string, value: string): boolean {
  if (part === 'page_url' || (part === 'referrer' && /name/i.test(question)))
    return isLink(value) && !isFile(question, value)
  return !/clk?id$|^fb[cp]$/.test(part) || !/\s/.test(value)
}

export const isLink = (text: string) =>
  /^(https?:\/\/|www\.|\/[\w-])\S*$/i.test(text) || /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text)

/** The parts of a payload in which programs write about themselves. */
const programs =
  /^(headers?|meta(data)?|_meta|context|server|client|session|device|browser|geo|location_data|tracking|analytics|workspace|account|tenant|organi[sz]ation|owner|assignee|assigned_?(to|user)|agent|user|vendor|clinic|hospital|doctor|store|shop|dealer|seller|merchant|branch|partner|business|webhook|workflow|integration|settings|config|system|request|links?|_links|debug|security|validation|technical|system_?info)$/i

/** What a form, an agent or a menu asked. */
export const collected = /pre_?chat|extract|collect|variables|answers|responses|survey|form|(^|_)(ivr|dtmf|keypress)/i

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
  if (/^https?:\/\/\S+$|^\/\S*$/i.test(value)) return !isFile(question, value)
  if (/(status|state|stage)$/i.test(question) && states.test(value)) return true
  // People name no seconds.
  if (/\d:[0-5]\d:[0-5]\d|\dT\d\d:\d\d/.test(value) && value.length < 40) return !appointments.test(question)
  return /^1[5-9]\d{8}(\d{3})?$|^(?=.*\d)(?=.*[a-f])[\da-f]{10,}$/.test(value) || (isId(value) && !/\s/.test(value))
}

/** What becomes of a record. */
const states =
  /^(new|(in)?active|open|closed|completed?|pending\w*|submitted|finished|partial|(un)?verified|approved|queued|processed|success|failed|delivered|received|draft|published|enabled|disabled|fresh)$/i

const appointments =
  /visit|appoint|slot|prefer|book|sched|check|travel|arriv|depart|event|deliver|birth|dob|wedding|marriage|call ?back|demo|meeting|pickup|move|possession|when/i

const isFile = (question: string, value: string) =>
  (files.test(question) || /\.(pdf|docx?|jpe?g|png|heic|webp|xlsx?|mp4)(\?\S*)?$/i.test(value)) &&
  !pictures.test(question)
export const files =
  /resume|\bcv\b|file|upload|attach|document|photo|image|brochure|plan|design|drawing|bill|prescription|report|portfolio/i
const pictures = /profile|avatar|logo|icon|thumb|banner/i
