import { dateLocale } from './time.ts'

const lists = new Intl.ListFormat(dateLocale, { type: 'unit', style: 'short' })

/** "Read, Write": texts of the page's language side by side. */
export const formatList = (texts: Iterable<string>) => lists.format(texts)
