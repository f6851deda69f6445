import { oneOf } from '../search.ts'

export const languages = ['curl', 'node', 'python', 'php'] as const
export type Language = (typeof languages)[number]

/** What the address bar holds of the first request: the language its lines are shown in. */
export const languageSearch = (search: Record<string, unknown>): { language?: Language | undefined } => ({
  language: oneOf(search, 'language', languages),
})
