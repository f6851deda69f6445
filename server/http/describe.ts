import { Type } from 'typebox'
import { Problem } from './contract.ts'

/** Errors that any REST operation may answer. */
const always = [401, 403, 429, 500, 503]

export function problemResponses(...statuses: number[]): Record<number, typeof Problem> {
  return Object.fromEntries([...statuses, ...always].map((status) => [status, Problem]))
}

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'Within 24 hours, the same key and body answer the first response again.' }),
  ),
})
