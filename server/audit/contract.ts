import { type Static, Type } from 'typebox'
import { Instant, Line, Nullable, Uuid } from '../http/contract.ts'

export const AuditQuery = Type.Object({
  /** An action as it is (`webhook.enabled`), or all of its matter (`webhook`). */
  action: Type.Optional(Line(100)),
  user_id: Type.Optional(Uuid()),
  from_date: Type.Optional(Type.String({ format: 'date' })),
  to_date: Type.Optional(Type.String({ format: 'date' })),
  /** The `next` of the page before. */
  before: Type.Optional(Type.String({ pattern: '^\\d{1,18}$' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Instant(),
  action: Type.String(),
  via: Type.Enum(['web', 'api_key', 'webhook', 'command']),
  /** The key or the webhook. */
  via_name: Nullable(Type.String()),
  user: Nullable(Type.Object({ id: Uuid(), name: Type.String(), email: Type.String() })),
  subject_id: Nullable(Uuid()),
  /** Of a person, a key, a webhook or a rule that is still there; never of a lead (D14). */
  subject_name: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = Type.Object({ data: Type.Array(AuditEntry), next: Nullable(Type.String()) })
