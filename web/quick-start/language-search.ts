import { oneOf } from '../search.ts'

export const languages = ['curl', 'node', 'python', 'php'] as const
export type Language = (typeof languages)[number]

/** Reads the language of the code examples from the URL. */
export const languageSearch = (search: Record<string, unknown>): { language?: Language | undefined } => ({
  language: oneOf(search, 'language', languages),
})
