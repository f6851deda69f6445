const marksOfLetters = /[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g
const omitted = /\p{Default_Ignorable_Code_Point}|[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0c3c\u0cbc]/gu
const viramas = /[\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/g
const anusvaras =
  /[\u0900\u0901\u0981\u0982\u0a01\u0a02\u0a70\u0a81\u0a82\u0b01\u0b02\u0c00-\u0c02\u0c80-\u0c82\u0d00-\u0d02]/g
const halfNasals = /[ङञणनमঙঞণনমਙਞਣਨਮઙઞણનમଙଞଣନମఙఞణనమಙಞಣನಮങഞണനമ]\u094d(?=[क-हক-হਕ-ਹક-હକ-ହక-హಕ-ಹക-ഹৰৱୟୱ])/g

/** The letters of the first text become those of the second. */
const pairs = (from: string, to: string) => [...from].map((letter, at): [string, string] => [letter, to[at]!])
const other = new Map([
  ...pairs('øłđıكيى', 'oldiکیی'),
  ...pairs('’‘‛ʼʻʹ′‐‒–—―−', "'''''''------"),
  ...pairs('\u0929\u0931\u0934\u0bb6\u0d4c', '\u0928\u0930\u0933\u0bb8\u0d57'),
  ...pairs('\u09ce\u0d7a\u0d7b\u0d7c\u0d7d\u0d7e\u0d7f', '\u09a4\u0d23\u0d28\u0d30\u0d32\u0d33\u0d15').map(
    ([letter, base]): [string, string] => [letter, `${base}\u094d`],
  ),
  ...Object.entries({ ॐ: 'ओम', ૐ: 'ઓમ', ௐ: 'ஓம', ஔ: '\u0b92\u0bb3', '\u0bcc': '\u0bc6\u0bb3' }),
  ...[...'٠۰०০੦૦୦௦౦೦൦'].flatMap((zero) =>
    [...'0123456789'].map((digit): [string, string] => [
      String.fromCharCode(zero.charCodeAt(0) + Number(digit)),
      digit,
    ]),
  ),
])

/**
 * Returns a text as names and words are compared, for what is not compared in the database. The SQL function `search_key` does the same,
 * and says what is folded.
 */
export function folded(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  return text
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(marksOfLetters, '')
    .normalize('NFC')
    .replace(omitted, '')
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => other.get(letter) ?? letter)
    .replace(viramas, '\u094d')
    .replace(anusvaras, '\u0902')
    .replace(halfNasals, '\u0902')
    .replace(/\u094d(?![\u0900-\u0d7f])/g, '')
}

const names = new Intl.Collator(undefined, { numeric: true })

/** Compares names for a list: "Campaign 2" comes before "Campaign 10". */
export const compareNames = (one: string, other: string): number => names.compare(one, other)
