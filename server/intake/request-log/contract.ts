import { type Static, Type } from 'typebox'
import { Instant, Line, Nullable, Uuid } from '../../platform/http/contract.ts'

/** Older requests are deleted. */
export const keptDays = 7

/** How many requests of a minute each process logs, of a key or webhook and of an account. Others are left out. */
export const perMinute = {
  failed: { ofSource: 60, ofAccount: 600 },
  succeeded: { ofSource: 20, ofAccount: 200 },
} as const

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** Method and route, as they are declared. */
export const endpoints = [
  'GET /api/v1/leads',
  'POST /api/v1/leads',
  'DELETE /api/v1/leads/:id',
  'GET /api/v1/call-logs',
  'POST /api/v1/call-logs',
  'DELETE /api/v1/call-logs/:id',
  'POST /webhook/:token',
  'GET /webhook/:token',
] as const
export type Endpoint = (typeof endpoints)[number]

export const RequestQuery = Type.Object({
  /** The id of an API key or webhook. */
  source: Type.Optional(Uuid()),
  status: Type.Optional(Type.Enum([...statusClasses])),
  endpoint: Type.Optional(Type.Enum([...endpoints])),
  /** A request id, or a part of the id, path, error or IP address. */
  search: Type.Optional(Line(200)),
  /** The `next` of the page before. */
  before: Type.Optional(Uuid()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})
export type RequestQuery = Static<typeof RequestQuery>

const LoggedRequest = Type.Object({
  /** Its X-Request-Id. */
  id: Uuid(),
  at: Instant(),
  via: Type.Enum(['api_key', 'webhook']),
  via_id: Uuid(),
  address: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  ms: Type.Integer(),
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  /** Whether a delivery with this id is stored. */
  has_delivery: Type.Boolean(),
})
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestPage = Type.Object({ data: Type.Array(LoggedRequest), next: Nullable(Uuid()) })
