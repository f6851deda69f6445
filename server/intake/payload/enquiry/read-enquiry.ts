import { isEmail } from '../../../crm/contacts/contact.ts'
import { type Consent, type Origin, originParts, type Statement } from '../../../crm/enquiries/contract.ts'
import { type EnquiryDraft, fitEnquiry } from '../../../crm/enquiries/enquiry.ts'
import type { EnquiryPart } from '../contract.ts'
import { isBlank, isId } from '../structure/values.ts'
import { originOfPage } from './origin-of-page.ts'
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

const general =
  /^(name|title|id|uuid|key|code|label|headline|text|source_?id|source_?url|url|uri|link|href|number|no|ref|reference|type|status|size|filename|mime_?type)$/i
const tracking =
  /^(utms?|utm_?(params|parameters|data|tags)|tracking|attribution\w*|traffic|analytics|marketing|first_?touch|last_?touch)$/i
const tracked = /^(source|medium|campaign|term|content)$/i

function suits(part: EnquiryPart, question: string, value: string): boolean {
  if (part === 'page_url' || (part === 'referrer' && /name/i.test(question)))
    return isLink(value) && !isFile(question, value)
  return !/clk?id$|^fb[cp]$/.test(part) || !/\s/.test(value)
}

const isLink = (text: string) =>
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
const files =
  /resume|\bcv\b|file|upload|attach|document|photo|image|brochure|plan|design|drawing|bill|prescription|report|portfolio/i
const pictures = /profile|avatar|logo|icon|thumb|banner/i

/**
 * Reads the enquiry of the values that no lead field takes, in their order. `declared`: what the sender says of its origin. `parts`: what
 * each value is.
 */
export function readEnquiry(
  values: readonly FreeValue[],
  declared: Origin = {},
): { enquiry: EnquiryDraft; parts: EnquiryPart[] } {
  const found: { part: OriginOf; question: string; said: string }[] = []
  const answers = new Map<string, string[]>()
  const consent: Consent = { statements: [] }
  const agreed: (Agreed & { group: unknown })[] = []
  const parts = values.map((free) => {
    const { value, isChoice = false, group } = free
    if (isUnfilled(free) && !(isChoice && value !== '')) {
      // A box of a consent that was left empty.
      if (ticks.test(free.question) && partOf(free) === 'consent')
        agreed.push({ question: free.question, said: 'No', group })
      return 'left_out'
    }
    const part = partOf(free)
    const said = /^(true|on)$/i.test(value.trim()) ? 'Yes' : /^false$/i.test(value.trim()) ? 'No' : value.trim()
    const question = part === 'answer' ? askedOf(free, value) : free.question.trim()
    if (question === undefined || (/_id$/.test(part) && said === '0')) return 'left_out'
    if (part === 'answer') answers.set(question, [...new Set([...(answers.get(question) ?? []), said])])
    else if (part === 'consent')
      agreed.push({ question, said: ticked.test(said) ? 'Yes' : no.test(said) ? 'No' : said, group })
    else if (part === 'consent_at') consent.at ??= said
    else if (part === 'consent_page') consent.page ??= said
    else if (part === 'do_not_call') {
      if (no.test(said)) return 'left_out'
      consent.do_not_call ??= ticked.test(said) ? question : `${question}: ${said}`
    } else if (part !== 'left_out') found.push({ part, question, said })
    return part
  })
  consent.statements = [...Map.groupBy(agreed, ({ group }) => group).values()].flatMap(statementsOf)
  const isConsent = Object.keys(consent).length > 1 || consent.statements.length > 0
  const list = [...answers].map(([question, said]) => ({ question, answer: said.join(', ') }))
  const draft = { origin: originOf(found, declared), answers: list, consent: isConsent ? consent : null, omitted: 0 }
  return { enquiry: fitEnquiry(draft), parts }
}

type OriginOf = keyof Origin

const ticks = /check|accept|agree|given|granted|selected/i

/** Whether it is empty, or a placeholder. A person may answer a question with “None”. */
function isUnfilled({ question, value, isAsked = false }: FreeValue): boolean {
  const isAnswered = /^(none|nil)$/i.test(value.trim()) && (isAsked || partOfName(question).isQuestion)
  return isBlank(value.trim()) && !isAnswered
}

/** The question of a file is around its URL; its size and its name are none. */
function askedOf({ question, around: [outer] = [] }: FreeValue, value: string): string | undefined {
  if (outer === undefined || !general.test(question) || !files.test(outer)) return question.trim()
  return isLink(value) ? outer : undefined
}

/** What has a name or a title goes before a bare value, which then is an id, and the page of the form before the one that was landed on. */
function originOf(found: readonly { part: OriginOf; question: string; said: string }[], declared: Origin): Origin {
  const origin: Origin = { ...declared }
  const isFirst = ({ part, question }: (typeof found)[number]) =>
    part === 'page_url'
      ? !/land|first|entry|original/i.test(question)
      : part === 'lead_id'
        ? question !== 'id'
        : /name|title|headline/i.test(question)
  for (const one of [...found.filter(isFirst), ...found.filter((each) => !isFirst(each))]) {
    const { part, said } = one
    const id: OriginOf | undefined = (ids as Partial<Record<OriginOf, OriginOf>>)[part]
    if (origin[part] === undefined) origin[part] = said
    else if (id && origin[part] !== said && !/\s/.test(said)) origin[id] ??= said
  }
  const urls = found.filter(({ part }) => part === 'page_url').map(({ said }) => said)
  const pages = [declared.page_url ?? '', ...urls].map(originOfPage)
  for (const page of pages) for (const part of Object.keys(page) as OriginOf[]) origin[part] ??= page[part]!
  return Object.fromEntries(originParts.flatMap((part) => (origin[part] ? [[part, origin[part]]] : [])))
}

const ids = { form: 'form_id', campaign: 'campaign_id', ad_set: 'ad_set_id', ad: 'ad_id' } as const

const ticked = /^(1|y|yes|true|on|checked|ticked)$/i
const no = /^(0|no|n|false|off|unchecked|none|null|not (dnd|registered|found))$/i

interface Agreed {
  question: string
  said: string
}

/** Returns the texts of one object with what was chosen: those that stand beside each other belong together. */
function statementsOf(agreed: readonly Agreed[]): Statement[] {
  const statements: Statement[] = []
  const isText = ({ question, said }: Agreed) => said.split(/[\s_]+/).length > 3 && question.split(/[\s_]+/).length < 5
  const [texts, choices] = [agreed.filter(isText), agreed.filter((one) => !isText(one))]
  // A text and what was chosen, in any order.
  if (texts.length === 1 && choices.length === 1) return [{ text: texts[0]!.said, choice: choices[0]!.said }]
  for (const one of agreed) {
    const { question, said } = one
    const last = statements.at(-1)
    if (isText(one)) {
      if (last && last.text === null) last.text = said
      else statements.push({ text: said, choice: null })
    } else if (question.split(/[\s_]+/).length > 4) statements.push({ text: question, choice: said })
    else if (last && last.choice === null) last.choice = said
    else statements.push({ text: chosenIn(question), choice: said })
  }
  // A box whose value is its text was ticked.
  const [only] = agreed.length === 1 && isText(agreed[0]!) ? statements : []
  if (only && !shown.test(agreed[0]!.question)) only.choice = 'Yes'
  return statements
}

const shown = /text|label|statement|copy|wording|message|title|content/i

/** `whatsapp_optin` says what was chosen; `consent` does not. */
const chosenIn = (question: string) =>
  /^(consent|gdpr|agree|accept(ed|ance)?|given|granted|value|choice|status|is_?checked|checked|terms)([_ -]?(given|status|\d+))?$/i.test(
    question,
  )
    ? null
    : question
