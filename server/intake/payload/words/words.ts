import vocabulary from './vocabulary.json' with { type: 'json' }

/** A class of words that mean the same in a label: a lead field, whose a value is, or what else it is. */
export type WordClass = keyof typeof vocabulary

const undecomposed: Record<string, string> = { đ: 'd', ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae' }

const classesByWord = new Map<string, Set<WordClass>>()
for (const [wordClass, scripts] of Object.entries(vocabulary)) {
  for (const word of Object.values(scripts).join(' ').split(' ')) {
    const key = normalised(word)
    classesByWord.set(key, (classesByWord.get(key) ?? new Set()).add(wordClass as WordClass))
  }
}

export function classesOf(word: string): ReadonlySet<WordClass> | undefined {
  const plural = word.length > 3 && word.endsWith('s')
  return classesByWord.get(word) ?? (plural ? classesByWord.get(word.slice(0, -1)) : undefined)
}

/** Lower case, Latin letters without accents, Devanagari without the nukta that few keyboards type. */
function normalised(text: string): string {
  const plain = text.normalize('NFD').replace(/[\u0300-\u036f\u093c]/g, '')
  return plain
    .normalize('NFC')
    .toLowerCase()
    .replace(/[đłøıßæ]/g, (letter) => undecomposed[letter]!)
}

/** Returns the words of a label in lower case: `customerEmail_ID` and `customeremailid` become customer, email, id. */
export function wordsOf(label: string): string[] {
  const spaced = withoutRemark(label)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
  const words = normalised(spaced)
    .replace(/\be[ -]mail/g, 'email')
    .replace(/\bwhats[ _-]app/g, 'whatsapp')
    .replace(/\bsur[ _-]name/g, 'surname')
    .replace(/#(?=\s|$)/, ' number ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
  return words
    .filter((word) => word !== '')
    .slice(0, 40)
    .flatMap(takenApart)
}

/** `Full name (as per your ID)` asks for a name; `Name (First)` for a part of one. */
function withoutRemark(label: string): string {
  const bare = label.replace(/\(([^()]{0,100})\)/g, (remark, text: string) => (isPart(text) ? remark : ' '))
  return /\p{L}/u.test(bare) && (bare === label || /[a-z]/i.test(bare) || isKnown(bare)) ? bare : label
}

/** A label in one language may have itself in another behind it. */
function isKnown(label: string): boolean {
  return normalised(label)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .some((word) => classesOf(word) !== undefined)
}

function isPart(remark: string): boolean {
  const classes = classesOf(normalised(remark.trim()))
  return classes !== undefined && parts.some((part) => classes.has(part))
}

const parts: WordClass[] = ['first', 'last', 'middle', 'name', 'city', 'thing', 'attribute', 'person', 'kin']

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const unspacedWords = [...classesByWord.keys()]
  .filter((word) => word.length > 1 && unspaced.test(word))
  .sort((one, other) => other.length - one.length)

/** The known words in a label of a language without spaces; the label itself where there are none. */
function wordsWithin(label: string): string[] {
  const found: string[] = []
  let rest = label
  for (const word of unspacedWords) {
    if (!rest.includes(word)) continue
    found.push(word)
    rest = rest.replace(word, ' ')
  }
  return found.length > 0 ? found : [label]
}

/** Words that only look as if they were made of others: a report is no rep. */
const whole = new Set(
  `amend append attribute automobile automobiles candid candle candles companion compare context contour designer
  elder essays extend forward instore keyboard keynote nodes
  notable organ panel patronage percentage proof proposition protest prototype reaches refund report reports selector
  simulator suspender teleconference today topics toward usage wound`.split(/\s+/),
)

/** The fewest known words that a word written together is made of; the word itself where there are none. */
function takenApart(word: string): string[] {
  if (word.length > 2 && !classesOf(word) && unspaced.test(word)) return wordsWithin(word)
  if (word.length < 5 || word.length > 40 || classesOf(word) || whole.has(word) || !/^[a-z]+$/.test(word)) return [word]
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
  if (parts && (parts.length <= 2 || word.length / parts.length > 2.7)) return parts
  // `pmobile`, `cemail`: whose it is, in one letter.
  const rest = word.slice(1)
  const isContacts = rest.length > 3 && ['phone', 'email'].some((one) => classesOf(rest)?.has(one as WordClass))
  return isContacts && word !== 'iphone' ? [word[0]!, rest] : [word]
}
