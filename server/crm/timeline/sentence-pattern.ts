import type { MessageDescriptor } from '@lingui/core'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import type { Language } from '../../platform/languages/contract.ts'
import { translate, withValues } from '../../platform/languages/translate.ts'

/** Says what was read, in a language. */
export type Say = (language: Language) => string

/** Returns null if the text is not what it reads. */
export type Reader = (text: string) => Say | null

/** Texts around placeholders: one more than placeholders. */
interface Pattern {
  literals: string[]
  names: string[]
  /** The text that each run of placeholders belongs to, and how many it has. */
  texts: { text: MessageDescriptor; count: number }[]
}

const unchanged: Reader = (text) => () => text
const isNumber: Reader = (text) => (/^\d+$/.test(text) ? () => text : null)

/**
 * Returns a reader of sentences that follow one another: of each place, one of its texts. `undefined` is none. `readers` read the values of
 * placeholders by their names; others stay as they are. A sentence that can be split in two ways is not read.
 */
export function readerOf(
  places: readonly (readonly (MessageDescriptor | undefined)[])[],
  readers: Record<string, Reader> = {},
): Reader {
  const patterns = places
    .map((texts) => texts.flatMap((text) => (text ? patternsOf(text) : [undefined])))
    .reduce<Pattern[]>(
      (before, after) => before.flatMap((one) => after.map((other) => (other ? follow(one, other) : one))),
      [empty],
    )
    // A text with more words fits more rarely: "Assigned to {assignee}." fits what the longer texts fit, too.
    .sort((one, other) => other.literals.join('').length - one.literals.join('').length)
  return (sentence) => {
    for (const pattern of patterns) {
      const readings = splits(pattern.literals, sentence).flatMap((values) => sayer(pattern, values, readers) ?? [])
      if (readings.length === 1) return readings[0]!
      if (readings.length > 1) return null
    }
    return null
  }
}

const empty: Pattern = { literals: [''], names: [], texts: [] }

function follow(one: Pattern, other: Pattern): Pattern {
  const space = one.texts.length > 0 ? ' ' : ''
  const middle = one.literals.at(-1)! + space + other.literals[0]!
  return {
    literals: [...one.literals.slice(0, -1), middle, ...other.literals.slice(1)],
    names: [...one.names, ...other.names],
    texts: [...one.texts, ...other.texts],
  }
}

/** Returns a pattern for each form of a plural. */
function patternsOf(text: MessageDescriptor): Pattern[] {
  return formsOf(compileMessage(text.message ?? text.id)).map((tokens) => {
    const pattern: Pattern = { literals: [''], names: [], texts: [] }
    for (const token of tokens) {
      if (typeof token === 'string') pattern.literals[pattern.literals.length - 1] += token
      else {
        pattern.names.push(token[0]!)
        pattern.literals.push('')
      }
    }
    return { ...pattern, texts: [{ text, count: pattern.names.length }] }
  })
}

/** The numbers of plurals are marked by `#`. */
function formsOf(tokens: CompiledMessage): (string | [string])[][] {
  return tokens.reduce<(string | [string])[][]>(
    (before, token) => {
      if (typeof token === 'string') return before.map((one) => [...one, token])
      const [name, , forms] = token
      if (!forms) return before.map((one) => [...one, [name]])
      const asNumber = (one: string | [string]): string | [string] =>
        typeof one !== 'string' && one[0] === name ? [`#${name}`] : one
      const inForms = Object.values(forms as Record<string, CompiledMessage>)
        .filter(Array.isArray)
        .flatMap(formsOf)
      return before.flatMap((one) => inForms.map((form) => [...one, ...form.map(asNumber)]))
    },
    [[]],
  )
}

/** Returns the values between the literals: with each literal as early as possible, and as late as possible if that differs. */
function splits(literals: readonly string[], text: string): string[][] {
  const [first, last] = [literals[0]!, literals.at(-1)!]
  if (literals.length === 1) return text === first ? [[]] : []
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return []
  const inner = text.slice(first.length, text.length - last.length)
  const middle = literals.slice(1, -1)
  const early: number[] = []
  for (let from = 0; early.length < middle.length; from = early.at(-1)! + middle[early.length - 1]!.length) {
    const at = inner.indexOf(middle[early.length]!, from)
    if (at < 0) return []
    early.push(at)
  }
  const late: number[] = []
  for (let before = inner.length; late.length < middle.length; before = late[0]!) {
    const literal = middle[middle.length - 1 - late.length]!
    if (before < literal.length) return []
    late.unshift(inner.lastIndexOf(literal, before - literal.length))
  }
  const cut = (places: number[]) =>
    [...places, inner.length].map((end, at) =>
      inner.slice(at === 0 ? 0 : places[at - 1]! + middle[at - 1]!.length, end),
    )
  return early.every((at, index) => at === late[index]) ? [cut(early)] : [cut(early), cut(late)]
}

function sayer({ names, texts }: Pattern, values: string[], readers: Record<string, Reader>): Say | null {
  const read: [string, Say][] = []
  for (const [index, name] of names.entries()) {
    const isCount = name.startsWith('#')
    const reader = isCount ? isNumber : Object.hasOwn(readers, name) ? readers[name]! : unchanged
    const say = reader(values[index]!)
    if (!say) return null
    read.push([isCount ? name.slice(1) : name, say])
  }
  let from = 0
  const parts = texts.map(({ text, count }) => {
    const own = read.slice(from, from + count)
    from += count
    return { text, own }
  })
  return (language) =>
    parts
      .map(({ text, own }) => {
        const said = Object.fromEntries(own.map(([name, say]) => [name, say(language)]))
        return translate(withValues(text, said), language)
      })
      .join(' ')
}

/** Returns a reader of words that have a text. */
export function wordsReader(texts: readonly MessageDescriptor[]): Reader {
  const byEnglish = new Map(texts.map((text) => [translate(text), text]))
  return (word) => {
    const text = byEnglish.get(word)
    return text ? (language) => translate(text, language) : null
  }
}
