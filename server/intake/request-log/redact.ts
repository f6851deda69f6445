import { uuidShape } from '../../platform/http/contract.ts'

const maxLength = { path: 300, message: 500 }
const maxParameters = 20
const hidden = '…'

/** Numbers that are too short for a phone, dates and times. */
const impersonal = /^(\d{1,6}|\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|true|false)$/i
const word = /^[a-z][\w-]{0,29}$/i
/** `/api/v1/` and the resource. */
const sharedSegments = 4

/** The declared parameters of a query, with the values that they may have. */
type Parameters = Readonly<Record<string, { enum?: readonly unknown[] }>>

/**
 * Returns path and query without what may be secret or personal: tokens, and all values other than ids, short numbers, times and
 * those that the API lists. `route` is the declared one.
 */
export function redactPath(url: string, route: string | null, parameters: Parameters = {}): string {
  const at = url.indexOf('?')
  const path = at === -1 ? url : url.slice(0, at)
  const given = path.split('/')
  const shown =
    route === null
      ? given.map((part, index) =>
          part === '' || (index < sharedSegments && word.test(part)) ? part : idOrHidden(part),
        )
      : route.split('/').map((part, index) => (part.startsWith(':') ? idOrHidden(given[index] ?? '') : part))
  const query = at === -1 ? '' : `?${redactQuery(url.slice(at + 1), parameters)}`
  return (shown.join('/') + query).slice(0, maxLength.path)
}

const idOrHidden = (part: string) => (uuidShape.test(part) ? part : hidden)

function redactQuery(query: string, parameters: Parameters): string {
  const pairs = [...new URLSearchParams(query)].slice(0, maxParameters)
  const shown = pairs.map(([name, value]) => {
    if (!Object.hasOwn(parameters, name)) return hidden
    const isListed = parameters[name]!.enum?.includes(value) ?? false
    return `${name}=${value === '' || isListed || impersonal.test(value) || uuidShape.test(value) ? value : hidden}`
  })
  return [...new Set(shown)].join('&')
}

/** Returns a message without emails and numbers that may be phones. */
export const redactMessage = (message: string) =>
  message
    .slice(0, maxLength.message)
    .replace(/[^\s"'<>(,;]+@[^\s"'<>),;]+/g, hidden)
    .replace(/\+?\d(?:[ -]?\d){6,}/g, hidden)
