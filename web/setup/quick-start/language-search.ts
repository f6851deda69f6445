import { readChoice } from '../../platform/api/search.ts'

export const languages = ['curl', 'node', 'python', 'php'] as const
export type Language = (typeof languages)[number]

/** Reads the language of the code examples from the URL. */
export const languageSearch = (search: Record<string, unknown>): { language?: Language | undefined } => ({
  language: readChoice(search, 'language', languages),
})
