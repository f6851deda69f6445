import { decodeHTMLStrict } from 'entities'
import { isScalar } from './structure/open-value.ts'

const maxItems = 1000

/**
 * Returns the text of a value, of at most so many characters: with the entities of HTML decoded once, and of a list of scalars each
 * filled item once. Undefined if it has none.
 */
export function textOf(value: unknown, maxLength: number): string | undefined {
  if (typeof value === 'string') return decoded(value.slice(0, maxLength)).trim()
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint') return String(value)
  if (!Array.isArray(value) || !value.every(isScalar)) return undefined
  return distinctTexts(value, maxLength).join(', ').slice(0, maxLength)
}

/** Returns the texts of the items of a list: a form that has a field twice sends an empty one, or the same one again. */
export function distinctTexts(list: readonly unknown[], maxLength: number): string[] {
  const texts = list
    .slice(0, maxItems)
    .map((item) => (typeof item === 'boolean' ? String(item) : textOf(item, maxLength)))
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]
}

/** Some senders escape a text for a page or for a database before they send it. */
function decoded(text: string): string {
  let plain = text
  if (plain.includes('<')) plain = plain.replace(/<br\s*\/?>/gi, '\n')
  if (plain.includes('&')) plain = decodeHTMLStrict(plain.replace(/&nbsp;/gi, ' '))
  if (plain.includes('\\') && !/^\s*[{[]/.test(plain)) plain = plain.replace(/\\(['"])/g, '$1')
  return plain
}
