import type { MessageDescriptor } from '@lingui/core'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { readCatalog, translationsIn } from './catalog.ts'
import { type Language, languages } from './contract.ts'

/** A text for people, made by `msg` with its values. Values may be texts. */
export type Text = string | MessageDescriptor

/** Returns a text of `msg` with other values. `msg` hashes its text each time. */
export const withValues = ({ id, message }: MessageDescriptor, values: Record<string, unknown>) =>
  ({ id, message, values }) as MessageDescriptor

interface Translator {
  /** By their ids. English ones, which are in the code, are added when they are first used. */
  texts: Map<string, CompiledMessage>
  plurals: Intl.PluralRules
  numbers: Intl.NumberFormat
}

const translators = new Map<string, Translator>()

/** Returns a text in a language: in English if it has no translation, and as it is if it is a string. */
export function translate(text: Text, language?: Language | null): string {
  if (typeof text === 'string') return text
  const translator = translatorOf(language ?? 'en')
  return fill(compiled(text, translator), { values: text.values ?? {}, translator, language })
}

/** Returns a word that the web app shows in a language, such as the label of a field. Here it is no `msg` text. */
export const translateWord = (word: string, language: Language, context?: string): string =>
  translate({ id: generateMessageId(word, context), message: word }, language)

function compiled({ id, message = id }: MessageDescriptor, { texts }: Translator): CompiledMessage {
  const known = texts.get(id)
  if (known) return known
  const made = compileMessage(message)
  texts.set(id, made)
  return made
}

interface Filling {
  values: Record<string, unknown>
  translator: Translator
  language: Language | null | undefined
  /** The number of a plural around the text, for `#`. */
  count?: unknown
}

/** Values come from users: unlike Lingui's own function, it changes no backslash in them. */
function fill(tokens: CompiledMessage, filling: Filling): string {
  const { values, translator, language, count } = filling
  let filled = ''
  for (const token of tokens) {
    if (typeof token === 'string') {
      filled += token === '#' && count !== undefined ? translator.numbers.format(Number(count)) : token
      continue
    }
    const [name, , options] = token
    const value = values[name]
    if (options) {
      const forms = options as Record<string, CompiledMessage>
      const form = forms[String(value)] ?? forms[translator.plurals.select(Number(value))] ?? forms.other!
      filled += fill(form, { ...filling, count: value })
    } else filled += isText(value) ? translate(value, language) : value
  }
  return filled
}

const isText = (value: unknown): value is MessageDescriptor => typeof value === 'object' && value !== null

function translatorOf(code: string): Translator {
  const language = isLanguage(code) ? code : 'en'
  const known = translators.get(language)
  if (known) return known
  const locale = `${language}-IN`
  const plurals = new Intl.PluralRules(locale)
  const translator = {
    texts: language === 'en' ? new Map() : translationsIn(readCatalog(language)),
    plurals,
    numbers: new Intl.NumberFormat(locale),
  }
  translators.set(language, translator)
  return translator
}

/** Returns the language that a client prefers by its header Accept-Language: only that of the first place is read. */
export function acceptedLanguage(header = ''): Language {
  const [first = ''] = header.split(/[-,;]/, 1)
  return isLanguage(first) ? first : 'en'
}

export const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)
