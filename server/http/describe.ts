import { Type } from 'typebox'
import { Problem } from './contract.ts'

/** What any operation of the REST interface may refuse with, for its description. */
const always = [401, 403, 429, 500, 503]

export function refusals(...statuses: number[]): Record<number, typeof Problem> {
  return Object.fromEntries([...statuses, ...always].map((status) => [status, Problem]))
}

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'Within 24 hours, the same key and body answer the first response again.' }),
  ),
})
