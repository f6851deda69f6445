import type { FastifyInstance } from 'fastify'
import { HttpProblem } from './problem.ts'

/** A field or parameter that is ignored, and the one that the client may have meant. */
interface Unknown {
  name: string
  meant: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    unknownFields?: Unknown[] | undefined
    /** The unknown fields of a body with their values. */
    unknownBody?: Record<string, unknown> | undefined
  }
}

/** How many names the header has, and how long each is, so that it stays short. */
const maxNames = 10
const maxNameLength = 40
const maxRemembered = 1000

/** Names of the fields in other systems. Those that contain the field, or are spelled nearly like it, need no line. */
const otherNames = new Map(
  Object.entries({
    mobile: 'phone',
    cell: 'phone',
    telephone: 'phone',
    whatsapp: 'phone',
    mail: 'email',
    organisation: 'company',
    organization: 'company',
    town: 'city',
    stage: 'status',
    value: 'deal_value',
    amount: 'deal_value',
    budget: 'deal_value',
    labels: 'tags',
    comment: 'notes',
    comments: 'notes',
    message: 'notes',
    remarks: 'notes',
    owner: 'assigned_to',
    assignee: 'assigned_to',
    duration: 'duration_seconds',
    type: 'call_type',
    direction: 'call_type',
    since: 'updated_since',
    from: 'from_date',
    to: 'to_date',
    page_size: 'limit',
    per_page: 'limit',
  }),
)

/**
 * Names unknown fields of bodies and unknown parameters of queries in a header, so that a misspelled one does not go unnoticed. They are
 * no error, because a client may send more than this version knows.
 */
export function nameUnknownFields(api: FastifyInstance) {
  api.decorateRequest('unknownFields')
  api.decorateRequest('unknownBody')
  api.addHook('onRoute', (route) => {
    const schema = (route.schema?.body ?? route.schema?.querystring) as { properties?: object } | undefined
    if (!schema) return
    const part = route.schema?.body ? 'body' : 'query'
    const known = new Set(Object.keys(schema.properties ?? {}))
    const suggest = remembered((name) => findMeant(name, known))
    route.preValidation = (request, reply, done) => {
      const unknown = unknownIn(request[part], known, suggest)
      if (unknown) {
        request.unknownFields = unknown
        if (part === 'body') request.unknownBody = without(known, request.body as Record<string, unknown>)
        reply.header('x-unknown-parameters', unknown.map(inHeader).join(', '))
      }
      done()
    }
  })
}

const without = (known: Set<string>, body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !known.has(name)))

/** Adds to an invalid request's problem which field the client may have meant. */
export function withMeant(problem: HttpProblem, unknown: Unknown[] | undefined): HttpProblem {
  const { status, code, message, field, headers } = problem
  const misnamed = unknown?.find((one) => one.meant && one.meant === field) ?? unknown?.find((one) => one.meant)
  if (status !== 400 || !misnamed) return problem
  const hint = `${misnamed.name} is unknown. Did you mean ${misnamed.meant}?`
  return new HttpProblem(status, code, `${message} ${hint}`, { field, headers })
}

function unknownIn(
  given: unknown,
  known: Set<string>,
  suggest: (name: string) => string | undefined,
): Unknown[] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return
  let unknown: Unknown[] | undefined
  for (const key of Object.keys(given)) {
    if (known.has(key)) continue
    const name = shown(key)
    if (name === '') continue
    const meant = suggest(name)
    unknown ??= []
    unknown.push({ name, meant: meant !== undefined && Object.hasOwn(given, meant) ? undefined : meant })
    if (unknown.length === maxNames) break
  }
  return unknown
}

/** As a header can carry it: visible ASCII, without the signs that separate. */
const shown = (name: string) =>
  name
    .slice(0, maxNameLength)
    .replace(/[^ -~]|[,;]/g, '?')
    .trim()

const inHeader = ({ name, meant }: Unknown) => (meant ? `${name}; did-you-mean=${meant}` : name)

/** Clients send the same names again and again. */
function remembered(find: (name: string) => string | undefined) {
  const found = new Map<string, string | undefined>()
  return (name: string) => {
    if (found.has(name)) return found.get(name)
    const meant = find(name)
    if (found.size < maxRemembered && name.length <= maxNameLength) found.set(name, meant)
    return meant
  }
}

/** Returns the known field that a name says in other words, or is spelled nearly like. */
export function findMeant(name: string, known: Set<string>): string | undefined {
  const words = wordsOf(name)
  const plain = words.join('')
  const fields = [...known]
  const same = fields.find((field) => wordsOf(field).join('') === plain)
  if (same) return same
  const other = otherNames.get(words.join('_'))
  if (other && known.has(other)) return other
  // phne, assigned_too: one slip, in longer names two.
  const near = fields
    .map((field) => ({ field, slips: slipsBetween(plain, wordsOf(field).join('')) }))
    .filter(({ field, slips }) => slips <= (field.length > 5 ? 2 : 1))
    .sort((a, b) => a.slips - b.slips)[0]
  if (near) return near.field
  // phone_number, company_name, customer_mobile: the field is one of the words.
  for (const word of words) {
    const field = known.has(word) ? word : otherNames.get(word)
    if (field && known.has(field)) return field
  }
}

/** camelCase, snake_case and spaces make no difference. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')

/** How many letters differ, are missing, too many or swapped with the next. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const [above, before] = [rows[row - 1]!, current[column - 1]!]
      const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(above[column]! + 1, before + 1, changed, swapped))
    }
    rows.push(current)
  }
  return rows.at(-1)!.at(-1)!
}
