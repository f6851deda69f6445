const marks =
  /[\u0300-\u036f\u0640\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c\u0c3c\u0cbc\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u0d46(?=\u0d57)/gu

/** The letters of the first text as those of the second. */
const pairs = (from: string, to: string) => [...from].map((letter, at): [string, string] => [letter, to[at]!])
const letters = new Map([
  ...pairs('øłđı’‘‛ʼʻʹ′‐‒–—―−كيى', "oldi'''''''------کیی"),
  ...pairs('ৎൺൻർൽൾൿ\u0bd7ஶ', 'তണനരലളകளஸ'),
  ...[...'٠۰०০੦૦୦௦౦೦൦'].flatMap((zero) =>
    [...'0123456789'].map((digit): [string, string] => [String.fromCharCode(zero.charCodeAt(0) + Number(digit)), digit]),
  ),
])
const chillus = /[ৎൺ-ൿ]/g
const viramas = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/g
const nasalMarks =
  /[\u0900\u0901\u0981\u0982\u0a01\u0a02\u0a70\u0a81\u0a82\u0b01\u0b02\u0c00-\u0c02\u0c80-\u0c82\u0d00-\u0d02]/g
const halfNasals =
  /[ङञणनमঙঞণনমਙਞਣਨਮઙઞણનમଙଞଣନମఙఞణనమಙಞಣನಮങഞണനമ]\u094d(?=[क-हক-হਕ-ਹક-હକ-ହక-హಕ-ಹക-ഹৰৱୟୱ])/g

/**
 * Returns a text as names and words are compared, for what is not compared in the database. The SQL function `search_key` does the same,
 * and says what is folded.
 */
export function folded(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  const plain = text.replaceAll('´', "'").normalize('NFKD').replace(marks, '').toLowerCase()
  return plain
    .replace(chillus, '$&\u094d')
    .replace(/[^\0-\x7f]/g, (letter) => letters.get(letter) ?? letter)
    .replace(viramas, '\u094d')
    .replace(nasalMarks, '\u0902')
    .replace(halfNasals, '\u0902')
    .replaceAll('ॐ', 'ओम')
    .replaceAll('ૐ', 'ઓમ')
    .replaceAll('ௐ', 'ஓம')
    .replace(/\u094d(?![\u0900-\u0d7f])/g, '')
    .normalize('NFC')
}
