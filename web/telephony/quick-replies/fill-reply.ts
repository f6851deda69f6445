import { maxFilledLength } from '#contract/telephony/quick-replies'

interface Values {
  /** Null: not known. */
  name: string | null
  agent: string
  company: string
}

const title = '(?:(?:mr|mrs|ms|miss|dr|shri|smt)\\b\\.?[^\\S\\n]+)?'
const named = '\\{(?:first_)?name\\}'
const dear = new RegExp(`\\bdear[^\\S\\n]+${title}${named}`, 'gi')
/** With what follows it, so that the sentence starts with its next word. */
const atStart = new RegExp(`^([^\\S\\n]*)${title}${named}[^\\S\\n]*[,:!–-]?[^\\S\\n]*(\\p{L}?)`, 'gimu')
const within = new RegExp(`[^\\S\\n]*\\b${title}${named}|[^\\S\\n]*${named}`, 'gi')

/** Returns a text that reads well without the name: “Hello {name}, thanks” becomes “Hello, thanks”. */
const withoutName = (text: string) =>
  text
    .replace(dear, 'Hello')
    .replace(atStart, (_, indent: string, letter: string) => indent + letter.toUpperCase())
    .replace(within, '')

/** Returns the text of a quick reply with its placeholders filled in. */
export function fillReply(text: string, { name, agent, company }: Values): string {
  const values: Record<string, string> = { name: name ?? '', first_name: firstName(name ?? ''), agent, company }
  const filled = (name === null ? withoutName(text) : text).replace(
    /\{(name|first_name|agent|company)\}/gi,
    (_, placeholder: string) => values[placeholder.toLowerCase()] ?? '',
  )
  return [...filled.trim()].slice(0, maxFilledLength).join('')
}

/** Returns the lead's name for a greeting; null if its name is a number, an email, a WhatsApp id or `Caller` with a number. */
export function nameOfPerson(name: string): string | null {
  const isPlaceholder =
    !/\p{L}/u.test(name) ||
    name.includes('@') ||
    /^Caller [+\d]/.test(name) ||
    /^[A-Z]{2}\.(?=.*\d)[\w.]{6,}$/.test(name)
  return isPlaceholder ? null : name.replace(/\s+/g, ' ').trim()
}

const honorifics = new Set(
  'mr mrs ms miss master mx dr prof shri sri shree sh smt kumari ku km er adv ca capt col maj lt md mohd mohammed sk श्री श्रीमती सुश्री कुमारी कु डॉ डा प्रो'.split(
    ' ',
  ),
)
/** "A", "R.K.", and capitals without a vowel: "VK". */
const initials = /^(?:(?:\p{L}\p{M}*\.)*\p{L}\p{M}*\.?|[B-DF-HJ-NP-TV-XZ]{2,3}\.?)$/u

/** Returns the word by which people call the person: no title and no initials, unless the name has nothing else. */
export function firstName(name: string): string {
  const words = name.split(/[\s()]+/).filter((word) => /\p{L}/u.test(word))
  const isTitle = (word: string) => honorifics.has(word.toLowerCase().replace(/\.$/, ''))
  const first = words.find((word) => !isTitle(word) && !initials.test(word))
  // Written together: "Dr.Asha".
  const [, title = '', rest = ''] = /^([^.]+)\.(.{2,})$/.exec(first ?? '') ?? []
  return (isTitle(title) ? rest : (first ?? name)).replace(/[,;:]+$/, '')
}
