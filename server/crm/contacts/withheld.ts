import { digitsOf, isSharedPlaceholder } from './contract.ts'

/** Whether a telephone system sends this in place of a number that the caller withholds: `Restricted`, +266696687, zeros. It is nobody's. */
export function isWithheld(text: string): boolean {
  if (text.length > 60) return false
  const plain = text.replace(/^"[^"]*"\s*(?=<)|^[\s<"]+|[\s>"]+$/g, '').replace(/^<?sips?:/i, '')
  const digits = digitsOf(plain).replace(/^00(?=\d)/, '')
  if (/^[+(]?\d[\d ()-]*$/.test(plain)) return spelled.has(digits) || /^0+$/.test(digits) || isSharedPlaceholder(digits)
  return /^-\d$/.test(plain) || inWords.test(plain.replace(/@.*$/, ''))
}

const words = ['anonymous', 'blocked', 'private', 'restricted', 'unavailable', 'unknown', 'withheld']

/** The words as on the keys of a telephone, as Twilio sends them, which spells one of them in two ways. */
const spelled = new Set([...words.map(onKeys), '8566696'])

const inWords = new RegExp(
  `^(?:(?:call(?:er)?|number|phone|cli|id)[ _-]*)*(?:${words.join('|')}|anon|hidden|suppressed|undisclosed|out[ _-]of[ _-]area|no[ _-]?(?:number|caller[ _-]?id)|(?:id|number)?[ _-]?not[ _-]?(?:available|disclosed|provided))(?:[ _-]*(?:call(?:er)?|number|id))*$`,
  'i',
)

function onKeys(word: string): string {
  const keys = '22233344455566677778889999'
  return [...word].map((letter) => keys[letter.charCodeAt(0) - 97]).join('')
}
