import { type Static, Type } from 'typebox'

/** The languages of the web app, of emails and of notifications, as they name themselves. Their texts are in `languages/`. */
export const languages = { en: 'English', hi: 'हिन्दी' } as const

export const Language = Type.Enum(Object.keys(languages) as (keyof typeof languages)[])
export type Language = Static<typeof Language>
