import { type Static, Type } from 'typebox'

/**
 * One line of text: no control characters, line separators (U+2028, U+2029) and overrides of the writing direction
 * (U+202D, U+202E), and no lone surrogates, which PostgreSQL cannot store.
 */
const line = '^[ -~\\u00A0-\\u2027\\u202A-\\u202C\\u202F-\\uD7FF\\uE000-\\u{10FFFF}]*$'
/** Text with newlines and tabs. */
const lines = '^[\\t\\n\\r -~\\u00A0-\\uD7FF\\uE000-\\u{10FFFF}]*$'

export const Line = (maxLength: number, options: { minLength?: number; description?: string } = {}) =>
  Type.String({ ...options, maxLength, pattern: line })

/** A name, with at least one visible character. */
export const Name = (options: { description?: string } = {}) =>
  Type.String({ ...options, minLength: 1, maxLength: 200, pattern: line, format: 'name' })

export const Lines = (maxLength: number, options: { minLength?: number; description?: string } = {}) =>
  Type.String({ ...options, maxLength, pattern: lines })

export const Uuid = (description?: string) => Type.String({ format: 'uuid', ...(description ? { description } : {}) })

/** In UTC and whole seconds: 2026-11-21T05:00:00Z. */
export const Instant = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Problem = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'A word for programs, such as INVALID_PARAM.' }),
      message: Type.String({ description: 'A readable sentence: what is wrong and what to do.' }),
      field: Type.Optional(Type.String({ description: 'The parameter at fault, where there is one.' })),
    }),
  },
  { description: 'What went wrong.' },
)
export type Problem = Static<typeof Problem>

export const PageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Page size.' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: 'How many to skip.' }),
  ),
}

/** Calendar dates in India, both inclusive. */
export const DateParameters = {
  from_date: Type.Optional(
    Type.String({
      format: 'date',
      description: 'First day, YYYY-MM-DD in IST. Default: 30 days ago, or 30 days before an earlier to_date.',
    }),
  ),
  to_date: Type.Optional(Type.String({ format: 'date', description: 'Last day, YYYY-MM-DD in IST. Default: today.' })),
}

export const IdParameter = Type.Object({ id: Uuid() })

export const Page = <T extends Type.TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    pagination: Type.Object({
      limit: Type.Integer(),
      offset: Type.Integer(),
      total: Type.Integer({ description: 'Exact.' }),
      has_more: Type.Boolean({ description: 'Whether a next page has anything.' }),
    }),
  })

export const Deleted = Type.Object({ data: Type.Object({ id: Uuid(), deleted: Type.Boolean() }) })
