import { rememberedByLabel } from './by-label.ts'
import { classesOf, type WordClass, wordsOf } from './words.ts'

/** What a label can mean. `reach` is a contact of either kind, `place` a city or something smaller. */
type Sense =
  | 'email'
  | 'phone'
  | 'reach'
  | 'name'
  | 'first'
  | 'last'
  | 'company'
  | 'city'
  | 'place'
  | 'source'
  | 'notes'
  | 'dialCode'

export type Meaning = {
  /** How much the words say for each meaning, 0 to 100. It says which values of a payload belong together. */
  senses: Partial<Record<Sense, number>>
  /** Whether it belongs to the lead; to the receiving business. */
  person: boolean
  staff: boolean
  /** Whether it belongs to a relative of the lead, or to whom they name. */
  kin: boolean
  /** Whether it is a thing, or an attribute of a field, such as its type or id. */
  thing: boolean
  attribute: boolean
  /** Whether it belongs to the sender of a call or message; to its receiver. */
  from: boolean
  to: boolean
  words: readonly string[]
}

/** Reads a label by the classes of its words. */
export const meaningOf = rememberedByLabel(read, 5000)

const senseOf: Partial<Record<WordClass, [sense: Sense, strength: number]>> = {
  email: ['email', 95],
  phone: ['phone', 95],
  from: ['phone', 75],
  reach: ['reach', 50],
  name: ['name', 95],
  first: ['first', 92],
  last: ['last', 92],
  company: ['company', 95],
  city: ['city', 95],
  place: ['place', 60],
  source: ['source', 85],
  note: ['notes', 90],
  softNote: ['notes', 55],
  dialCode: ['dialCode', 90],
}

function read(label: string): Meaning {
  const words = wordsOf(label)
  const classes = words.map((word) => classesOf(word))
  const has = (wordClass: WordClass) => classes.some((of) => of?.has(wordClass))
  const unknown = words.filter((word, at) => !classes[at] && word.length > 1 && !/^\d+$/.test(word)).length
  const [attribute, thing] = [has('attribute'), has('thing')]
  const senses: Meaning['senses'] = {}
  const give = (sense: Sense, strength: number) => {
    senses[sense] = Math.max(senses[sense] ?? 0, strength - 8 * unknown - (attribute ? 25 : 0))
  }
  for (const [wordClass, [sense, strength]] of Object.entries(senseOf))
    if (has(wordClass as WordClass)) give(sense, strength)
  if (has('number') && senses.phone === undefined) give('phone', has('person') || has('reach') ? 85 : 60)
  const isCode = /\b(country|dial(ing)?|phone|mobile|calling) (code|prefix)\b/.test(words.join(' '))
  if (isCode) senses.dialCode = 90
  // What stands beside these words is their name or number: `form_name`, `city code`.
  if (thing || has('company') || has('source')) delete senses.name
  if (isCode || senses.email) delete senses.phone
  return {
    senses,
    person: has('person'),
    staff: has('staff'),
    kin: has('kin'),
    thing,
    attribute,
    from: has('from'),
    to: has('to'),
    words,
  }
}
