import { Type } from 'typebox'
import { Problem } from './contract.ts'

/** What the API description says of an operation besides its schemas. `publish.ts` puts it into its place. */
export interface OperationDocs {
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** Empty where no API key is needed. */
  security?: { apiKey: [] }[]
  /** Sample bodies by name. A body with a schema in the route needs nothing else. */
  requests?: Record<string, object>
  /** In place of a schema in the route, for bodies that Fastify must not check. */
  requestBody?: object
  /** For values of the query that Fastify must not check. */
  query?: Record<string, Type.TSchema>
  /** By status; the errors that any operation may answer need none. */
  answers: Record<number, AnswerDocs>
}

export interface AnswerDocs {
  description: string
  /** Sample bodies by name. */
  examples: Record<string, object>
  headers?: string[]
  /** Sample texts that may be answered in place of JSON. */
  text?: Record<string, string>
}

/** The fields of a route's schema from its documentation. */
export const described = ({
  security = [{ apiKey: [] }],
  requests,
  requestBody,
  query,
  answers,
  ...texts
}: OperationDocs) => ({
  ...texts,
  security,
  'x-docs': { requests, requestBody, query, answers },
})

/** Errors that any operation may answer. */
const always = [400, 403, 405, 408, 429, 431, 500, 503]

const problems = (statuses: number[]): Record<number, typeof Problem> =>
  Object.fromEntries(statuses.map((status) => [status, Problem]))

export const problemResponses = (...more: number[]) => problems([...always, 401, ...more])

/** A webhook needs no API key. */
export const webhookProblems = (...more: number[]) => problems([...always, 404, ...more])

export const IdempotencyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'Up to 255 visible ASCII characters of your choice. Within 24 hours, the same key and body answer the first ' +
        'response again.',
    }),
  ),
})
