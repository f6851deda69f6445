import { contextWords } from './context-words.ts'
import { fieldWords } from './field-words.ts'

export type WordClass = keyof typeof fieldWords | keyof typeof contextWords

const undecomposed: Record<string, string> = { đ: 'd', ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae' }

const classesByWord = new Map<string, Set<WordClass>>()
for (const [wordClass, list] of Object.entries({ ...fieldWords, ...contextWords })) {
  for (const word of list.split(/\s+/)) {
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

/** `customerEmail_ID` and `customeremailid` alike become customer, email, id. */
export function wordsOf(label: string): string[] {
  const spaced = withoutRemark(label)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2')
  const words = normalised(spaced)
    .replace(/(?<=[\p{Script=Cyrillic}\p{Script=Bengali}])['’ʼ](?=[\p{Script=Cyrillic}\p{Script=Bengali}])/gu, '')
    .replace(/\be[ -]mail/g, 'email')
    .replace(/\bwhats[ _-]app/g, 'whatsapp')
    .replace(/\bsur[ _-]name/g, 'surname')
    .replace(/\blinked in\b/g, 'linkedin')
    .replace(/(?<![a-z])sales[ _-]?order(?![a-z])/g, 'order')
    .replace(/^(city|source|company)[ _-]label$/, '$1')
    // An address, not the receiver of a message.
    .replace(/(?<![a-z])(ship|bill|sold)[ _-]to(?![a-z])/g, 'billing')
    .replace(/(?<![a-z])destination[ _-](?=address)/g, 'shipping ')
    // A person who has an account, a policy or a car, or wants a job.
    .replace(/\b(account|policy|card|ticket|pass|lease|deed)[ _-]?holders?(?![a-z])/g, 'customer')
    .replace(
      /\b((car|vehicle|pet|dog|cat|home|house|bike)[ _-]?owners?|(pet|dog|cat)[ _-]parents?)(?![a-z])/g,
      'customer',
    )
    .replace(/\bjob[ _-]?seekers?(?![a-z])/g, 'customer')
    // The sides of a call.
    .replace(/(?<![a-z])(a[ _-]?(party|leg)|(party|leg)[ _-]?a|calling[ _-]party)(?![a-z])/g, 'caller')
    .replace(/^a[ _-]?(number|no|num)$/, 'caller number')
    .replace(/^b[ _-]?(number|no|num)$/, 'callee number')
    .replace(/(?<![a-z])connected[ _-]?line(?![a-z])/g, 'caller')
    .replace(/(?<![a-z])(b[ _-]?(party|leg)|(party|leg)[ _-]?b|called[ _-]party)(?![a-z])/g, 'callee')
    // The side of a message, and not where a lead comes from.
    .replace(/^(source|origin)[ _-]?(?=(address|msisdn|number|phone)$)/, 'from ')
    .replace(/^payment[ _-]?(?=(city|company|first|last|address))/, 'billing ')
    .replace(/^(bill|invoice)[ _-](?=(city|town|first|last|address|email|phone|mobile|name$))/, 'billing ')
    .replace(/^ship[ _-](?=(city|town|first|last|address|phone|mobile|name$))/, 'shipping ')
    // Words that others write together.
    .replace(/(?<![a-z])call[ _-]back(?![a-z])/g, 'callback')
    .replace(/(?<![a-z])tele[ _-]caller/g, 'telecaller')
    .replace(/(?<![a-z])whatsapp[ _-]?id(?![a-z])/g, 'waid')
    // A person beside the lead.
    .replace(/(?<![a-z])(co|joint)[ _-]?(applicant|borrower|signer|buyer|owner|insured)s?(?![a-z])/g, 'guarantor')
    // What an email says, what to type, and the names that Matomo gives to UTM parameters.
    .replace(/^e?mail[ _-](?=(body|text|content|message|snippet)$)/, 'message ')
    .replace(/^type (?=your |a )/, 'enter ')
    .replace(/^(mtm|pk)[ _-](?=(source|campaign|medium)$)/, 'utm ')
    .replace(/primer[ _-](?=apellido)/, '')
    // `name_as_per_pan`
    .replace(/[ _-]as[ _-](per|on|in)[ _-]((the|your)[ _-])?(passport|aadhaa?r|id|pan|records?)(?![a-z]).*$/, '')
    .replace(/#(?=\s|$)/, ' number ')
    // Elementor names a field without a label so, and then by its id.
    .replace(/^no[ _-]label[ _-]/, '')
    // MetForm names its fields so.
    .replace(/^mf[ _-](listing[ _-])?(?=[a-z]{2})/, '')
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
