import { contextWords } from './context-words.ts'
import { fieldPhrases, fieldWords } from './field-words.ts'

/** What a label can mean. `reach` is a contact of either kind, `place` a city or something smaller. */
export type Sense =
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
  /** How surely the label means each sense, 0 to 100. */
  senses: Partial<Record<Sense, number>>
  person: boolean
  staff: boolean
  thing: boolean
  attribute: boolean
  /** Says nothing: a number, a hash, `field_3`, `SingleLine`. */
  opaque: boolean
  /** Says nothing else than the sense: `name`, not `customer_name`. */
  bare: boolean
  /** How many of its words nobody knows. */
  unknown: number
  question: boolean
  from: boolean
  to: boolean
  words: readonly string[]
}

type WordClass = keyof typeof fieldWords | keyof typeof contextWords

const classesByWord = new Map<string, Set<WordClass>>()
for (const [wordClass, list] of Object.entries({ ...fieldWords, ...contextWords })) {
  for (const word of list.split(/\s+/)) {
    const key = normalised(word)
    classesByWord.set(key, (classesByWord.get(key) ?? new Set()).add(wordClass as WordClass))
  }
}

const remembered = new Map<string, Meaning>()

export function meaningOf(label: string): Meaning {
  const known = remembered.get(label)
  if (known) return known
  const meaning = readLabel(label.slice(0, 300))
  if (remembered.size > 5000) remembered.clear()
  remembered.set(label, meaning)
  return meaning
}

function normalised(text: string): string {
  const composed = text.normalize('NFD').replace(/[\u0300-\u036f\u093c]/g, '')
  return composed.normalize('NFC').toLowerCase()
}

/** `customerEmail_ID` and `customeremailid` alike become customer, email, id. */
export function wordsOf(label: string): string[] {
  const spaced = label
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
  const words = normalised(spaced)
    .replace(/\be[ -]mail/g, 'email')
    .replace(/\bwhats[ _-]app/g, 'whatsapp')
    .replace(/\blinked in\b/g, 'linkedin')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
  return words
    .filter((word) => word !== '')
    .slice(0, 40)
    .flatMap(takenApart)
}

function takenApart(word: string): string[] {
  if (word.length < 5 || word.length > 40 || classesByWord.has(word) || !/^[a-z]+$/.test(word)) return [word]
  const best: (string[] | undefined)[] = [[]]
  for (let end = 1; end <= word.length; end++) {
    for (let start = Math.max(0, end - 14); start < end - 1; start++) {
      const before = best[start]
      const part = word.slice(start, end)
      if (!before || !classesByWord.has(part)) continue
      const known = best[end]
      if (!known || before.length + 1 < known.length) best[end] = [...before, part]
    }
  }
  const parts = best[word.length]
  return parts && parts.length <= 4 ? parts : [word]
}

function readLabel(label: string): Meaning {
  const words = wordsOf(label)
  const spoken = words.map((word) => classesByWord.get(word))
  const has = (wordClass: WordClass) => spoken.some((classes) => classes?.has(wordClass))
  const phrase = words.join(' ')
  const question = /[?？]/.test(label) || words.length >= 5
  const unknown = words.filter((word, index) => !spoken[index] && word.length > 1 && !/^\d+$/.test(word)).length
  const attribute = has('attribute') && !(has('email') && /\b(id|work|type)\b/.test(phrase) && !/\btype\b/.test(phrase))
  // WhatsApp's word for the number that was written to.
  const staff =
    spoken.some((classes, index) => classes?.has('staff') && !(question && spokenOf.has(words[index] ?? ''))) ||
    phrase.startsWith('display phone')
  const thing = has('thing') || (has('case') && has('name') && !has('person'))
  const senses: Meaning['senses'] = {}
  const give = (sense: Sense, strength: number) => {
    if (strength > (senses[sense] ?? 0)) senses[sense] = strength
  }
  const lessUnknown = (strength: number, each: number) => strength - each * unknown
  const company = has('company')
  const aside = (company ? 20 : 0) + (has('alternate') ? 10 : 0) + (attribute ? 25 : 0)

  if (has('email')) give('email', Math.max(lessUnknown(95, 6) - aside, 45))
  if (has('phone') && !(attribute && /\b(id|country|code)\b/.test(phrase))) {
    give('phone', Math.max(lessUnknown(95, 8) - aside, 40))
  }
  if (has('number') && !has('phone') && !attribute && unknown === 0) {
    give('phone', has('person') || has('reach') ? 82 - aside : words.length > 1 || words[0] === 'number' ? 60 : 40)
  }
  if (has('from') && !attribute && unknown === 0) give('phone', 75)
  if (words.includes('from') || (has('from') && /\bid\b/.test(phrase))) give('phone', 75)
  if (words.includes('wa') && words.includes('id')) give('phone', 75)
  if (has('reach') && unknown === 0) give('reach', 50)
  if (has('dialCode') || /\b(country|dial|dialing|phone|calling) code\b/.test(phrase)) give('dialCode', 90)

  const nameless =
    attribute || thing || company || ['city', 'place', 'source', 'phone', 'email'].some((word) => has(word as 'city'))
  const initialled = /^([fl]) name$/.exec(phrase)?.[1]
  if (initialled) give(initialled === 'f' ? 'first' : 'last', 92)
  else if (has('first') && !nameless && !has('last')) give('first', has('name') || words.length === 1 ? 92 : 60)
  else if (has('last') && !nameless && !has('first')) give('last', has('name') || words.length === 1 ? 92 : 60)
  else if (has('name') && !nameless && !has('middle') && !has('note')) {
    give('name', lessUnknown(words.includes('user') ? 70 : 95, 25))
  } else if (has('person') && !nameless && unknown === 0 && !has('number') && !has('phone') && !has('email')) {
    if (words.every((word, index) => spoken[index]?.has('person') || spoken[index]?.has('filler') || word === ''))
      give('name', 62)
  }
  if (words.length > 1 && words.at(-1) === 'co' && has('person')) give('company', 90)
  if (company && !attribute && !thing)
    give('company', lessUnknown(95, 15) - (has('city') || has('phone') || has('email') ? 95 : 0))
  if (has('city') && !attribute && !thing) give('city', Math.max(lessUnknown(95, 20), 30))
  if (has('place') && !attribute && !thing && unknown === 0) give('place', 60)
  if (has('source') && !attribute) {
    const utm = words.includes('utm')
    if (!utm || words.includes('source')) {
      give(
        'source',
        lessUnknown(utm ? 66 : has('person') ? 95 : 85, 10) - (has('name') ? 12 : 0) - (thing && !utm ? 30 : 0),
      )
    }
  }
  readNotes()
  for (const [pattern, sense] of fieldPhrases) {
    if (pattern.test(phrase)) give(sense === 'note' ? 'notes' : sense, sense === 'note' ? 78 : 85)
  }
  if (senses.source && senses.source >= 80) senses.notes = 0

  const plain =
    unknown === 0 &&
    spoken.every((classes) => !classes || ['filler', 'name', 'control'].some((one) => classes.has(one as 'name')))
  return {
    senses,
    person: has('person'),
    staff,
    thing,
    attribute,
    opaque: isOpaque(words, spoken),
    bare: plain || words.length === 0,
    question,
    unknown,
    from: has('from'),
    to: !question && words.some((word) => receiverWords.has(word)),
    words,
  }

  function readNotes() {
    if (attribute || has('name') || (thing && !question)) return
    if (has('note')) give('notes', Math.max(lessUnknown(90, 8), 50))
    else if (has('softNote')) give('notes', Math.max(lessUnknown(55, 10), 40))
  }
}

const receiverWords = new Set(
  'to called callee dialed dialled dst destination receiver received recieved answered'.split(' '),
)

/** In a question these speak of the ones who ask it, or say nothing. */
const spokenOf = new Set(
  'did to by our called received answered connected test support sales marketing system assistant'.split(' '),
)

function isOpaque(words: string[], spoken: (Set<WordClass> | undefined)[]): boolean {
  if (words.length === 0) return true
  return words.every((word, index) => {
    if (/^\d+$/.test(word) || word.length === 1) return true
    const classes = spoken[index]
    if (classes) return classes.has('control')
    return /^[a-z]{2}$/.test(word) && words.length >= 4
  })
}
