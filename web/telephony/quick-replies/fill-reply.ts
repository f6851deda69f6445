import { maxFilledLength } from '#contract/telephony/quick-replies'

interface Values {
  /** Null: not known. */
  name: string | null
  agent: string
  company: string
}

const title = '(?:(?:mr|mrs|ms|miss|dr|shri|smt)\\b\\.?[^\\S\\n]+)?'
const dear = new RegExp(`\\bdear[^\\S\\n]+${title}\\{name\\}`, 'gi')
/** With what follows it, so that the sentence starts with its next word. */
const atStart = new RegExp(`^([^\\S\\n]*)${title}\\{name\\}[^\\S\\n]*[,:!–-]?[^\\S\\n]*(\\p{L}?)`, 'gimu')
const within = new RegExp(`[^\\S\\n]*\\b${title}\\{name\\}|[^\\S\\n]*\\{name\\}`, 'gi')

/** Returns a text that reads well without the name: “Hello {name}, thanks” becomes “Hello, thanks”. */
const withoutName = (text: string) =>
  text
    .replace(dear, 'Hello')
    .replace(atStart, (_, indent: string, letter: string) => indent + letter.toUpperCase())
    .replace(within, '')

/** Returns the text of a quick reply with its placeholders filled in. */
export function fillReply(text: string, { name, agent, company }: Values): string {
  const values: Record<string, string> = { name: name ?? '', agent, company }
  const filled = (name === null ? withoutName(text) : text).replace(
    /\{(name|agent|company)\}/gi,
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
