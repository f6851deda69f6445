import { msg } from '@lingui/core/runtime-macro'
import type { Language } from '../../../platform/languages/contract.ts'
import { type Text, translate } from '../../../platform/languages/translate.ts'
import type { EntryToRead } from '../manual-mapping.ts'
import { type Path, pathText, readPath } from '../path.ts'
import { followPath } from '../structure/follow-path.ts'
import type { Leaf } from '../structure/leaves.ts'
import { isEntries, isScalar, Opener } from '../structure/open-value.ts'
import { type CallShape, type EnquiryShape, type SenderField, type Shape, senders } from './sender.ts'

type Entries = Record<string, unknown>
type Condition = { path: Path; wanted: RegExp | true }

/** A payload whose sender is known. */
export type Known = { folder: string; name: string; shape: Shape }

type Marked = { known: Known; mark: Condition[]; order: number }

/** The marks of all senders by the first key of their first path, in the order of the shapes. */
const marksByKey = Map.groupBy(
  [...senders].flatMap(([folder, { name, shapes }], sender) =>
    shapes.flatMap((shape, at) =>
      shape.marks.map((mark): Marked => {
        return { known: { folder, name, shape }, mark: conditionsOf(mark), order: 100 * sender + at }
      }),
    ),
  ),
  ({ mark }) => mark[0]!.path[0]!,
)

function conditionsOf(mark: Shape['marks'][number]): Condition[] {
  return Object.entries(mark).map(([path, wanted]) => ({
    path: pathOf(path),
    wanted: wanted === true ? true : new RegExp(`^(?:${wanted})$`, 's'),
  }))
}

function pathOf(text: string): Path {
  const path = readPath(text)
  if (!path) throw new Error(`“${text}” is not a path`)
  return path
}

/** Finds the sender of a payload by its marks, also where a bridge puts what it received under `body`. */
export function findSender(payload: Entries): Known | undefined {
  const opener = new Opener()
  const known = findMarked(payload, opener)
  if (known) return known
  const body = opener.open(payload.body)
  const wrapped = isEntries(body) ? findMarked(body, opener) : undefined
  return wrapped && { ...wrapped, shape: within('body', wrapped.shape) }
}

/** Compares only the outermost keys of an unknown payload with the first path of each mark. */
function findMarked(payload: Entries, opener: Opener): Known | undefined {
  // The names of a form may be nested: `contact[email]`.
  const keys = new Set(Object.keys(payload).map((key) => key.split('[', 1)[0]!))
  const marked = [...keys].flatMap((key) => marksByKey.get(key) ?? []).sort((one, other) => one.order - other.order)
  const holds = ({ path, wanted }: Condition) => {
    const place = followPath(payload, path, opener)
    if (!place || wanted === true) return place !== undefined
    return isScalar(place.value) && wanted.test(String(place.value))
  }
  return marked.find(({ mark }) => mark.every(holds))?.known
}

function within(key: string, { fields, questions, ignore, records, call, enquiry, ...shape }: Shape): Shape {
  const inside = (path: string) => (path.startsWith('[') ? `${key}${path}` : `${key}.${path}`)
  return {
    ...shape,
    fields: Object.fromEntries(Object.entries(fields ?? {}).map(([field, paths]) => [field, paths.map(inside)])),
    ...(questions && { questions: questions.map(inside) }),
    ...(ignore && { ignore: ignore.map(inside) }),
    ...(records && { records: inside(records) }),
    ...(call && { call: callWithin(call, inside) }),
    ...(enquiry && { enquiry: enquiryWithin(enquiry, inside) }),
  }
}

function enquiryWithin({ origin = {}, ...parts }: EnquiryShape, inside: (path: string) => string): EnquiryShape {
  const shifted = (named: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(named).map(([part, paths]) => [part, paths.map(inside)]))
  return { ...shifted(parts), origin: shifted(origin) }
}

function callWithin({ utc, ...call }: CallShape, inside: (path: string) => string): CallShape {
  const parts = Object.entries(call).map(([part, said]) => {
    if (typeof said === 'string') return [part, said]
    if (!Array.isArray(said)) return [part, { ...said, at: said.at.map(inside) }]
    return [part, said.map((path) => (Array.isArray(path) ? path.map(inside) : inside(path)))]
  })
  return { ...Object.fromEntries(parts), ...(utc && { utc }) }
}

/**
 * Returns what a sender declares as a mapping: its fields, then the answers to questions by their type, then what it ignores; and the
 * values that recognition must not use, because the questions are elsewhere.
 */
export function readSender(
  { name, shape }: Known,
  payload: Entries,
  leaves: readonly Leaf[],
  language: Language = 'en',
): { mapping: EntryToRead[]; outside: readonly Leaf[] } {
  const { fields = {}, questions, ignore = [] } = shape
  const answers = new Set(questions && answersIn(questions, payload, leaves))
  const declared = Object.entries(fields).flatMap(([field, paths]) => {
    const reason = fieldReason(name, field as SenderField, language)
    return paths.map((path) => ({ path, field: field as SenderField, reason }))
  })
  const typed = typedAnswers(payload, [...answers]).map(({ path, field, type }) => {
    return { path, field, reason: translate(msg`${{ sender: name }} says that it is ${{ kind: type }}`, language) }
  })
  const ignored = ignore.map((path) => ({ path, field: 'ignore' as const, reason: `Not the lead’s at ${name}` }))
  return {
    mapping: [...declared, ...typed, ...ignored].map((entry) => ({ ...entry, bySender: true })),
    outside: questions ? leaves.filter((leaf) => !answers.has(leaf) && !leaf.around.some(isFreePart)) : [],
  }
}

/** Whether it holds what the account defined at the sender, which no folder can know. */
export const isFreePart = (name: string) =>
  /^(custom|extra|additional|user)[ _-]?(fields?|param(eter)?s?|attributes?|var(iable)?s?|values?|propert(y|ies)|data)$/i.test(
    name,
  )

/** They are few, and every payload of a sender has them. */
const fieldReasons = new Map<string, string>()

function fieldReason(sender: string, field: SenderField, language: Language): string {
  const key = `${language} ${field} ${sender}`
  const known = fieldReasons.get(key)
  if (known !== undefined) return known
  const reason = translate(msg`${{ sender }} sends ${{ what: sent[field] }} here`, language)
  fieldReasons.set(key, reason)
  return reason
}

const sent: Record<SenderField, Text> = {
  name: msg`the name`,
  first_name: msg`the first name`,
  last_name: msg`the last name`,
  email: msg`the email`,
  phone: msg`the phone`,
  other_contacts: msg`other contacts`,
  company: msg`the company`,
  city: msg`the city`,
  source: msg`the source`,
  notes: msg`the message`,
}

function answersIn(questions: readonly string[], payload: Entries, leaves: readonly Leaf[]): Leaf[] {
  const opener = new Opener()
  const placeOf = (path: Path) => followPath(payload, path, opener)?.at.slice(0, -1)
  const parts = questions.flatMap((part) => placeOf(pathOf(part)) ?? [])
  if (parts.length === 0) return []
  return leaves.filter(({ path }) => {
    const place = placeOf(path)
    return parts.some((part) => place === part || place?.startsWith(`${part},`))
  })
}

const answerTypes = [
  { field: 'name', type: msg`a name`, pattern: /^(control)?(full)?name$/ },
  { field: 'email', type: msg`an email`, pattern: /^(input|control)?e?mail(address)?$/ },
  {
    field: 'phone',
    type: msg`a phone number`,
    pattern: /^(input|control)?(phone|mobile|tel|telephone|whatsapp)(number)?$/,
  },
  {
    field: 'notes',
    type: msg`a long text`,
    pattern: /^(input|control)?(textarea|(long|paragraph|multiline)(text|answer)?)$/,
  },
] as const

/** Returns the answers whose type is that of a field. Of several long texts, words decide. */
function typedAnswers(payload: Entries, leaves: readonly Leaf[]) {
  const opener = new Opener()
  const answers = leaves
    .filter(({ value }) => value.trim() !== '')
    .flatMap((leaf) => {
      const types = typesOf(payload, leaf, opener).map((type) => type.toLowerCase().replace(/[^a-z]/g, ''))
      const found = answerTypes.find(({ pattern }) => types.some((type) => pattern.test(type)))
      return found ? [{ path: pathText(leaf.path), field: found.field, type: found.type }] : []
    })
  const texts = answers.filter(({ field }) => field === 'notes')
  return texts.length > 1 ? answers.filter(({ field }) => field !== 'notes') : answers
}

/** Returns the types that an answer has itself, and those of its question. */
function typesOf(payload: Entries, leaf: Leaf, opener: Opener): string[] {
  const place = followPath(payload, leaf.path, opener)
  const steps = place ? (JSON.parse(place.at) as string[]) : []
  const answer = steps.slice(0, -1).reduce<unknown>((value, step) => (opener.open(value) as Entries)[step], payload)
  const holders = isEntries(answer) ? [answer, answer.field, answer.question] : []
  const stated = holders.filter(isEntries).flatMap((holder) => Object.entries(holder))
  const types = stated.flatMap(([key, type]) => (/type$/i.test(key) && typeof type === 'string' ? [type] : []))
  return leaf.type === undefined ? types : [...types, leaf.type]
}

/** Returns the places of the leads in a body that may have several. */
export function recordPlaces({ shape }: Known, payload: Entries): (string | number)[][] {
  if (shape.records === undefined) return []
  let places: { path: (string | number)[]; value: unknown }[] = [{ path: [], value: payload }]
  for (const segment of pathOf(shape.records)) {
    places = places.flatMap(({ path, value }) => {
      if (segment === '')
        return Array.isArray(value) ? value.map((item, index) => ({ path: [...path, index], value: item })) : []
      return isEntries(value) ? [{ path: [...path, segment], value: value[segment] }] : []
    })
  }
  return places.filter(({ value }) => isEntries(value)).map(({ path }) => path)
}
