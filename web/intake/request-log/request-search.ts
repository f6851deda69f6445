import { endpoints, statusClasses } from '#contract/intake/request-log'
import { readChoice, text } from '../../platform/api/search.ts'

/** Reads from the URL the filters of the request log, and the open request. */
export const requestSearch = (search: Record<string, unknown>) => ({
  source: isId(text(search, 'source')) ? text(search, 'source') : undefined,
  status: readChoice(search, 'status', statusClasses),
  endpoint: readChoice(search, 'endpoint', endpoints),
  search: text(search, 'search'),
  request: isId(text(search, 'request')) ? text(search, 'request') : undefined,
})

const isId = (value: string | undefined) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value ?? '')

export type RequestListSearch = ReturnType<typeof requestSearch>

/** Whether a list that finds nothing is found at once: other searches and filters then read the whole log. */
export const isQuick = ({ request: _open, ...filters }: RequestListSearch) =>
  isId(filters.search) || Object.values(filters).every((value) => value === undefined)
