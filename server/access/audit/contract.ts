import { type Static, Type } from 'typebox'
import { Instant, Line, Nullable, Uuid } from '../../platform/http/contract.ts'

/** The recorded actions, as `topic.verb`. */
export type AuditAction =
  | 'account.changed'
  | 'account.suspended'
  | 'account.resumed'
  | 'account.created'
  | `api_key.${'changed' | 'created' | 'regenerated' | 'revoked'}`
  | `call_log.${'changed' | 'created' | 'deleted' | 'exported' | 'review_removed' | 'reviewed'}`
  | 'audit_log.exported'
  | 'delivery.replayed'
  | `demo.${'filled' | 'removed'}`
  | `distribution_rule.${'changed' | 'created' | 'moved' | 'removed'}`
  | `lead.${'changed' | 'created' | 'deleted' | 'duplicate_dismissed' | 'match_hidden' | 'merged' | 'submitted_again'}`
  | `leads.${'bulk_changed' | 'bulk_deleted' | 'bulk_undone' | 'exported' | 'imported' | 'import_undone' | 'merged' | 'merge_undone'}`
  | `phone_line.${'added' | 'confirmed' | 'declined' | 'removed' | 'requested'}`
  | `quick_reply.${'changed' | 'created' | 'moved' | 'removed'}`
  | 'source_cost.changed'
  | `user.${'activated' | 'changed' | 'created' | 'deactivated' | 'goal_changed' | 'invited' | 'leads_reassigned'}`
  | `user.${'away' | 'back' | 'hours_changed'}`
  | `user.${'password_changed' | 'password_forgotten' | 'password_link_made' | 'password_set'}`
  | `user.${'single_sign_on_linked' | 'single_sign_on_unlinked'}`
  | `user.${'backup_codes_made' | 'two_factor_disabled' | 'two_factor_enabled' | 'two_factor_reset'}`
  | `view.${'changed' | 'created' | 'removed' | 'shared' | 'unshared'}`
  | `webhook.${'changed' | 'created' | 'disabled' | 'enabled' | 'mapped' | 'regenerated'}`

export const AuditQuery = Type.Object({
  /** One action (`webhook.enabled`), or all of a topic (`webhook`). */
  action: Type.Optional(Line(100)),
  /** `false` leaves out new leads, merges and calls, which are most of the log. */
  incoming: Type.Optional(Type.Enum(['true', 'false'])),
  user_id: Type.Optional(Uuid()),
  /** The entries of one import or bulk change. Without it, each of these is one entry. */
  import_id: Type.Optional(Uuid()),
  from_date: Type.Optional(Type.String({ format: 'date' })),
  to_date: Type.Optional(Type.String({ format: 'date' })),
  /** The `next` of the previous page. */
  before: Type.Optional(Type.String({ pattern: '^\\d{1,18}$' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})
export type AuditQuery = Static<typeof AuditQuery>

/** The filters of an export. */
export const AuditExport = Type.Omit(AuditQuery, ['before', 'limit'])

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Instant(),
  action: Type.String(),
  via: Type.Enum(['web', 'api_key', 'webhook', 'command']),
  /** The name of the API key or the webhook. */
  via_name: Nullable(Type.String()),
  /** The id of the import or the bulk change that made the change. */
  import_id: Nullable(Uuid()),
  user: Nullable(Type.Object({ id: Uuid(), name: Type.String(), email: Type.String() })),
  subject_id: Nullable(Uuid()),
  /** The name of a user, key, webhook or rule that still exists; never of a lead. */
  subject_name: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = Type.Object({ data: Type.Array(AuditEntry), next: Nullable(Type.String()) })
