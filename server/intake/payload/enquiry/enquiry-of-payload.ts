import { type Origin, type OriginPart, originParts } from '../../../crm/enquiries/contract.ts'
import type { EnquiryDraft } from '../../../crm/enquiries/enquiry.ts'
import { type EnquiryPart, isEnquiryTarget, type MappedField } from '../contract.ts'
import type { LeadDraft } from '../lead-draft.ts'
import { leavesWithin, placeOf, placesOf } from '../manual-mapping.ts'
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
  { lead, decided, shape, outside, isCall }: Given,
): { enquiry: EnquiryDraft; parts: ReadPart[] } {
  const declared = declaredParts(payload, leaves, shape)
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
  const { enquiry, parts } = readEnquiry(free, declaredOrigin(payload, shape))
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

function declaredParts(payload: unknown, leaves: readonly Leaf[], shape: Shape | undefined): Map<Leaf, EnquiryPart> {
  const parts = new Map<Leaf, EnquiryPart>()
  if (!shape?.enquiry) return parts
  const { origin = {}, answers = [], consent = [], do_not_call = [], left_out = [] } = shape.enquiry
  const opener = new Opener()
  const leafAt = placesOf(payload, leaves, opener)
  const declare = (paths: readonly string[], part: EnquiryPart) => {
    for (const path of paths) {
      const place = placeOf(payload, path, opener)
      for (const leaf of place ? leavesWithin(leafAt, place.at) : []) {
        // A click id in an object that is left out is origin all the same.
        const isWithin = part === 'left_out' && leafAt.get(place!.at) !== leaf
        const named = isWithin
          ? partNamed({ question: questionIn(leaf.labels) ?? '', value: leaf.value, around: leaf.around })
          : part
        if (!parts.has(leaf)) parts.set(leaf, isOrigin(named) && named !== 'product' ? named : part)
      }
    }
  }
  for (const [part, paths] of Object.entries(origin)) declare(paths, part as EnquiryPart)
  declare(consent, 'consent')
  declare(do_not_call, 'do_not_call')
  declare(left_out, 'left_out')
  declare(answers, 'answer')
  return parts
}

/** Returns the origin that a sender declares: of several paths, the first with a value; of a list, all of its values. */
function declaredOrigin(payload: unknown, shape: Shape | undefined): Origin {
  const opener = new Opener()
  const origin: Origin = {}
  for (const [part, paths] of Object.entries(shape?.enquiry?.origin ?? {}) as [OriginPart, string[]][]) {
    for (const path of paths) {
      const texts = valuesAt(payload, path, opener).flatMap((value) => textOf(value, maxLength)?.trim() || [])
      const said = [...new Set(texts)].join(', ')
      if (said === '' || isBlank(said) || (/_id$/.test(part) && said === '0')) continue
      origin[part] = said
      break
    }
  }
  return origin
}

/** In characters, and of a list. */
const [maxLength, maxItems] = [1000, 20]

/** Finds the values of a path; `[]` in it stands for each item of a list. */
function valuesAt(payload: unknown, path: string, opener: Opener): unknown[] {
  const [list, inner] = path.split('[].')
  if (inner === undefined) return [placeOf(payload, path, opener)?.value]
  const items = placeOf(payload, list!, opener)?.value
  return Array.isArray(items)
    ? items.slice(0, maxItems).map((item) => placeOf(opener.open(item), inner, opener)?.value)
    : [placeOf(payload, `${list}.${inner}`, opener)?.value]
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
