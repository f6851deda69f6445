import { type Origin, type OriginPart, originParts } from '../../../crm/enquiries/contract.ts'
import type { EnquiryDraft } from '../../../crm/enquiries/enquiry.ts'
import { type EnquiryPart, isEnquiryTarget, type MappedField } from '../contract.ts'
import type { LeadDraft } from '../lead-draft.ts'
import { leavesWithin, placeOf } from '../manual-mapping.ts'
import { pathText } from '../path.ts'
import { textOf } from '../plain-text.ts'
import type { Shape } from '../senders/sender.ts'
import type { Leaf } from '../structure/leaves.ts'
import { Opener } from '../structure/open-value.ts'
import { isBlank, lastDigits } from '../structure/values.ts'
import { meaningOf } from '../words/meaning.ts'
import { collected, type FreeValue, partNamed, questionIn, readEnquiry } from './read-enquiry.ts'

interface Given {
  lead: LeadDraft
  /** What the mapping and recognition say that values are. */
  decided: ReadonlyMap<Leaf, MappedField>
  /** All values by their place, if the sender is known. */
  places: ReadonlyMap<string, Leaf>
  shape: Shape | undefined
  /** Values outside of the sender's questions. */
  outside: ReadonlySet<Leaf>
  isCall: boolean
}

/** The part of an enquiry that a value is, by its path. */
export interface ReadPart {
  path: string
  part: EnquiryPart
}

/** Reads the enquiry of the values of a payload that no lead field takes. */
export function enquiryOfPayload(
  payload: unknown,
  leaves: readonly Leaf[],
  { lead, decided, places, shape, outside, isCall }: Given,
): { enquiry: EnquiryDraft; parts: ReadPart[] } {
  const { parts: declared, origin } = declaredIn(payload, places, shape)
  const hasQuestions = (shape?.questions?.length ?? 0) > 0
  const hasOnlyDeclared = shape?.enquiry?.answers !== undefined
  const isOutside = (leaf: Leaf) =>
    hasQuestions ? outside.has(leaf) : isCall && ![...leaf.labels, ...leaf.around].some((name) => collected.test(name))
  const isOutermostId = ({ path }: Leaf) => !shape?.enquiry && !isCall && path.length === 1 && path[0] === 'id'
  const joined = withWholeDates(leaves)
  const asked = askedBeside(joined)
  const transcripts = new Set(joined.filter(({ value }) => speakers.test(value)).map(({ group }) => group))
  const free = joined.flatMap((leaf): (FreeValue & { leaf: Leaf })[] => {
    const { value, labels, around, group, isChoice = false } = leaf
    const question = asked.get(leaf) ?? questionIn(labels) ?? around[0] ?? pathText(leaf.path)
    const field = decided.get(leaf)
    const mapped = field === undefined ? undefined : mappedPart(field)
    // The source of a lead may be a UTM value, too.
    const named = partNamed({ question, value, around })
    const both = declared.get(leaf) ?? named
    if (mapped === 'field' && !isOrigin(both)) return []
    const isSpare = isRepeated(lead, question, value) || transcripts.has(leaf.group) || asked.get(leaf) === ''
    // What a person consents to may be asked among other questions.
    const isAgreed = declared.get(leaf) === 'answer' && named?.startsWith('consent') === true
    const stated = (isAgreed ? named : declared.get(leaf)) ?? (isOutermostId(leaf) ? 'lead_id' : undefined)
    const part = mapped === 'field' ? both : (mapped ?? (isSpare ? 'left_out' : stated))
    return [
      {
        leaf,
        question,
        value,
        around,
        group,
        isChoice,
        part,
        isAsked: hasQuestions && !outside.has(leaf),
        isOutside: hasOnlyDeclared || isOutside(leaf),
      },
    ]
  })
  const { enquiry, parts } = readEnquiry(free, origin)
  return {
    enquiry,
    parts: parts.flatMap((part, at) =>
      isField(free[at]!.leaf) ? [] : [{ path: pathText(free[at]!.leaf.path), part }],
    ),
  }

  function isField(leaf: Leaf): boolean {
    const field = decided.get(leaf)
    return field !== undefined && mappedPart(field) === 'field'
  }
}

/** Joins the day, month and year of a date that a form asks for apart. */
function withWholeDates(leaves: readonly Leaf[]): readonly Leaf[] {
  const parts = leaves.filter(({ labels: [label = ''], group }) => group.name && /^(day|month|year)$/i.test(label))
  if (parts.length < 3) return leaves
  const wholes = new Map<Leaf, Leaf | null>()
  for (const [group, dates] of Map.groupBy(parts, ({ group }) => group)) {
    const part = (name: string) => dates.find(({ labels: [label = ''] }) => label.toLowerCase() === name)
    const [day, month, year] = [part('day'), part('month'), part('year')]
    if (!day || !month || !year) continue
    for (const date of dates) wholes.set(date, null)
    wholes.set(dates[0]!, { ...dates[0]!, labels: [group.name!], value: `${day.value}-${month.value}-${year.value}` })
  }
  return leaves.flatMap((leaf) => (wholes.has(leaf) ? (wholes.get(leaf) ?? []) : leaf))
}

/** The questions of answers that have a key of their own: `Q1`, `A1`. They are empty for the questions themselves. */
function askedBeside(leaves: readonly Leaf[]): Map<Leaf, string> {
  const questions = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const number = numberOf(/^(.*)q(?:uestion)?[ _-]?(\d{1,2})$/i, leaf)
    if (number !== undefined) questions.set(number, leaf)
  }
  const asked = new Map<Leaf, string>()
  for (const leaf of questions.size > 0 ? leaves : []) {
    const question = questions.get(numberOf(/^(.*)a(?:ns(?:wer)?)?[ _-]?(\d{1,2})$/i, leaf) ?? '')
    if (question) asked.set(leaf, question.value).set(question, '')
  }
  return asked
}

function numberOf(pattern: RegExp, { labels: [label = ''] }: Leaf): string | undefined {
  const [, before, number] = pattern.exec(label) ?? []
  return number === undefined ? undefined : `${before} ${number}`
}

/** Who says something in a chat that is sent as a whole. */
const speakers = /^(bot|assistant|chatbot)$/i

const isOrigin = (part: EnquiryPart | undefined): part is OriginPart => originParts.includes(part as OriginPart)

/** `field`: a lead field or a part of a call takes the value. */
function mappedPart(field: MappedField): EnquiryPart | 'field' {
  if (field === 'ignore') return 'left_out'
  return isEnquiryTarget(field) ? field : 'field'
}

interface Declared {
  parts: Map<Leaf, EnquiryPart>
  /** Of several paths of a part, the first with a value; of a list, all of its values. */
  origin: Origin
}

/** Returns what a sender declares of the enquiry. */
function declaredIn(payload: unknown, places: ReadonlyMap<string, Leaf>, shape: Shape | undefined): Declared {
  const parts = new Map<Leaf, EnquiryPart>()
  const origin: Origin = {}
  if (!shape?.enquiry) return { parts, origin }
  const opener = new Opener()
  const declare = (path: string, part: EnquiryPart) => {
    const place = placeOf(payload, path, opener)
    const exact = place && places.get(place.at)
    for (const leaf of place ? (exact ? [exact] : leavesWithin(places, place.at)) : []) {
      // A click id in an object that is left out is origin all the same.
      const { labels, value, around } = leaf
      const named =
        part === 'left_out' && !exact ? partNamed({ question: questionIn(labels) ?? '', value, around }) : part
      if (!parts.has(leaf)) parts.set(leaf, isOrigin(named) && named !== 'product' ? named : part)
    }
    return place?.value
  }
  const { origin: ofOrigin = {}, answers = [], consent = [], do_not_call = [], left_out = [] } = shape.enquiry
  for (const [part, paths] of Object.entries(ofOrigin) as [OriginPart, string[]][]) {
    for (const path of paths) {
      const value = declare(path, part)
      if (origin[part] !== undefined) continue
      const texts = path.includes('[]') ? textsOfList(payload, path, opener) : [textOf(value, maxLength)?.trim() ?? '']
      const said = [...new Set(texts)].join(', ')
      if (!isBlank(said) && !(part.endsWith('_id') && said === '0')) origin[part] = said
    }
  }
  for (const path of consent) declare(path, 'consent')
  for (const path of do_not_call) declare(path, 'do_not_call')
  for (const path of left_out) declare(path, 'left_out')
  for (const path of answers) declare(path, 'answer')
  return { parts, origin }
}

/** In characters, and of a list. */
const [maxLength, maxItems] = [1000, 20]

/** Returns the texts at a path with `[]`, which stands for each item of a list. */
function textsOfList(payload: unknown, path: string, opener: Opener): string[] {
  const [list = '', inner = ''] = path.split('[].')
  const items = placeOf(payload, list, opener)?.value
  if (!Array.isArray(items))
    return [textOf(placeOf(payload, `${list}.${inner}`, opener)?.value, maxLength)?.trim() ?? '']
  const values = items.slice(0, maxItems).map((item) => placeOf(opener.open(item), inner, opener)?.value)
  return values.flatMap((value) => textOf(value, maxLength)?.trim() || [])
}

/** Whether a value says once more what a field of the lead has: a first name beside the whole one, the number without its country code. */
function isRepeated(
  { name, phone, email, notes, city, company, other_contacts = [] }: LeadDraft,
  question: string,
  value: string,
): boolean {
  const text = value.trim().toLowerCase()
  const is = (other: string | undefined) => other?.trim().toLowerCase() === text
  if (is(email) || is(notes) || other_contacts.some((contact) => is(contact.value))) return true
  const digits = lastDigits(value)
  const numbers = [phone, ...other_contacts.map((contact) => contact.value)]
  if (digits.length > 6 && !/\p{L}/u.test(value) && numbers.some((number) => number && lastDigits(number) === digits))
    return true
  const { senses } = meaningOf(question)
  if (Math.max(senses.name ?? 0, senses.first ?? 0, senses.last ?? 0) >= 80 && name?.toLowerCase().includes(text))
    return true
  return (
    ((senses.city ?? 0) >= 80 && is(city)) ||
    ((senses.company ?? 0) >= 80 && is(company)) ||
    (is(name) && /name/i.test(question)) ||
    // The number of a question whose text is elsewhere.
    (/^\d+$/.test(question) && text.length > 2 && ` ${name} `.toLowerCase().includes(` ${text} `))
  )
}
