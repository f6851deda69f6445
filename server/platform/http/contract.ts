import { type Static, Type } from 'typebox'

/**
 * One line of text: no control characters, line separators (U+2028, U+2029) and overrides of the writing direction
 * (U+202D, U+202E), and no lone surrogates, which PostgreSQL cannot store.
 */
export const line = '^[ -~\\u00A0-\\u2027\\u202A-\\u202C\\u202F-\\uD7FF\\uE000-\\u{10FFFF}]*$'
/** Text with newlines and tabs. */
const lines = '^[\\t\\n\\r -~\\u00A0-\\uD7FF\\uE000-\\u{10FFFF}]*$'

/**
 * What the API description says instead, because generators for other languages fail at these escapes. PHP and Ruby
 * compare bytes: a range from \x80 on would reject every name that is not English.
 */
export const publishedPatterns: Readonly<Record<string, string>> = {
  [line]: '^[^\\x00-\\x1F\\x7F]*$',
  [lines]: '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F]*$',
}

interface TextOptions {
  minLength?: number
  description?: string
  examples?: string[]
  format?: string
}

export const Line = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ ...options, maxLength, pattern: line })

/** A name, with at least one visible character. */
export const Name = (options: { description?: string } = {}) =>
  Type.String({ ...options, minLength: 1, maxLength: 200, pattern: line, format: 'name' })

export const Lines = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ ...options, maxLength, pattern: lines })

/** The format `uuid`. */
export const uuidShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const Uuid = (description?: string, example?: string) =>
  Type.String({ format: 'uuid', ...(description ? { description } : {}), ...(example ? { examples: [example] } : {}) })

/** In UTC and whole seconds: 2026-11-21T05:00:00Z. */
export const Instant = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The `code` of every error that the API and webhooks answer. docs/rest/errors.md explains each. */
const errorCodes = [
  'INVALID_PARAM',
  'UNAUTHORIZED',
  'PERMISSION_DENIED',
  'IP_NOT_ALLOWED',
  'WEBHOOK_DISABLED',
  'ACCOUNT_SUSPENDED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** A schema with a title is published under this name. */
export const Problem = Type.Object(
  {
    error: Type.Object(
      {
        // No enum: a new code would break clients that check answers against the description.
        code: Type.String({
          description: `One of ${errorCodes.join(', ')}. More may be added: treat an unknown code by its status.`,
          examples: [...errorCodes],
        }),
        message: Type.String({ description: 'A readable sentence: what is wrong and what to do.' }),
        field: Type.Optional(Type.String({ description: 'The parameter at fault, where there is one.' })),
      },
      { description: 'What is wrong.' },
    ),
  },
  { title: 'Error', description: 'What went wrong.' },
)
export type Problem = Static<typeof Problem>

/** The lead in the samples. */
export const sampleId = '3f8b2c1e-5d47-4a9b-8e21-6c0f9d7a1b34'
const sampleCursor = `2026-11-21T05:00:00Z_${sampleId}_2026-11-21T05:06:00Z`

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
      examples: ['2026-11-01'],
    }),
  ),
  to_date: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Last day, YYYY-MM-DD in IST. Default: today.',
      examples: ['2026-11-21'],
    }),
  ),
}

/** For lists in the order of their changes. */
export const ChangeParameters = (updatedSince: string) => ({
  updated_since: Type.Optional(
    Type.String({ format: 'date-time', description: updatedSince, examples: ['2026-11-21T05:00:00Z'] }),
  ),
  cursor: Type.Optional(
    Type.String({
      format: 'change-cursor',
      description:
        '`next_cursor` of the answer before: goes on where it ended. In place of updated_since, which is ignored then. Repeat the ' +
        'other parameters, without offset.',
      examples: [sampleCursor],
    }),
  ),
})

export const IdParameter = Type.Object({ id: Uuid('The id that the service answered.', sampleId) })

const Pagination = Type.Object(
  {
    limit: Type.Integer({ description: 'The page size that was applied.' }),
    offset: Type.Integer({ description: 'How many were skipped.' }),
    total: Type.Integer({ description: 'How many match the filters. Exact, unless total_capped is true.' }),
    total_capped: Type.Optional(
      Type.Boolean({
        description: 'True with updated_since or cursor if more match than were counted. Else it is not given.',
        examples: [true],
      }),
    ),
    has_more: Type.Boolean({ description: 'Whether a next page has anything.' }),
    next_cursor: Type.Optional(
      Type.String({
        description:
          'With updated_since or cursor: the cursor of the next request. If has_more is false, it begins the next reading, ' +
          'which repeats what changed in the last minutes.',
        examples: [sampleCursor],
      }),
    ),
  },
  { title: 'Pagination' },
)

export const Page = <T extends Type.TSchema>(title: string, item: T) =>
  Type.Object(
    {
      data: Type.Array(item, {
        description: 'One page, newest first; with updated_since or cursor, in the order of the changes.',
      }),
      pagination: Pagination,
    },
    { title },
  )

export const Deleted = Type.Object(
  {
    data: Type.Object(
      { id: Uuid('What was deleted.'), deleted: Type.Boolean({ description: 'Always true.' }) },
      { description: 'The result.' },
    ),
  },
  { title: 'DeletedResponse' },
)
