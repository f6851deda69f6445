import { randomBytes, randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import type { AuditAction } from '../audit/contract.ts'
import { recordAudit } from '../audit/record.ts'
import type { Actor } from '../database/actor.ts'
import { storable } from '../database/storable.ts'
import { notifyDirectoryChanged } from '../database/watch.ts'
import type { LeadStatus } from '../leads/contract.ts'
import type { MappingEntry, Pick } from '../payload/map-payload.ts'
import { withoutPeople } from '../payload/path.ts'

export interface Webhook {
  account_id: string
  id: string
  name: string
  source_label: string
  token: string
  enabled: boolean
  default_assignee: string | null
  default_status: LeadStatus
  default_source: string | null
  default_tags: string[]
  /** What the owner mapped by hand. */
  mapping: MappingEntry[]
  /** What the first delivery was recognised as. What it said is not here: it goes with its lead. */
  proposal: Omit<Pick, 'value'>[] | null
  /** The paths that have come, each with the time it first came. */
  known_fields: Record<string, string>
  /** What Meta and WhatsApp send back when they check the address. */
  verify_token: string
  created_at: Date
}

/** Without what is large: the fields that have come, and what the first delivery was read as. */
export type ListedWebhook = Omit<Webhook, 'known_fields' | 'proposal' | 'mapping'>

export async function listWebhooks(sql: Sql | TransactionSql, accountId: string): Promise<ListedWebhook[]> {
  return sql<
    ListedWebhook[]
  >`select account_id, id, name, source_label, token, enabled, default_assignee, default_status,
      default_source, default_tags, verify_token, created_at from webhooks where account_id = ${accountId} order by created_at, id`
}

export async function webhookById(tx: TransactionSql, accountId: string, id: string): Promise<Webhook | null> {
  const [row] = await tx<Webhook[]>`select * from webhooks where account_id = ${accountId} and id = ${id}`
  return row ?? null
}

export type NewWebhook = globalThis.Pick<
  Webhook,
  'name' | 'source_label' | 'default_assignee' | 'default_status' | 'default_source' | 'default_tags'
>

type Settings = Partial<NewWebhook>

export async function createWebhook(tx: TransactionSql, actor: Actor, webhook: NewWebhook) {
  const id = randomUUID()
  const token = newToken()
  const verify_token = randomBytes(12).toString('hex')
  await tx`insert into webhooks (account_id, id, name, source_label, token, verify_token, default_assignee, default_status,
      default_source, default_tags, created_at)
    values (${actor.account_id}, ${id}, ${webhook.name}, ${webhook.source_label}, ${token}, ${verify_token}, ${webhook.default_assignee},
      ${webhook.default_status}, ${webhook.default_source}, ${webhook.default_tags}, ${new Date()})`
  await recordAudit(tx, actor, 'webhook.created', id, { name: webhook.name })
  // Processes remember which tokens no webhook has.
  await notifyDirectoryChanged(tx, actor.account_id)
  return { id, token, verify_token }
}

/** Each answers whether there is such a webhook in the actor's account. */

export async function setEnabled(tx: TransactionSql, actor: Actor, id: string, enabled: boolean): Promise<boolean> {
  const changed =
    await tx`update webhooks set enabled = ${enabled} where account_id = ${actor.account_id} and id = ${id}`
  return changedWebhook(tx, actor, id, changed.count, enabled ? 'webhook.enabled' : 'webhook.disabled')
}

export async function setMapping(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  mapping: MappingEntry[],
): Promise<boolean> {
  const changed = await tx`update webhooks set mapping = ${tx.json(mapping as never)}
    where account_id = ${actor.account_id} and id = ${id}`
  return changedWebhook(tx, actor, id, changed.count, 'webhook.mapped', {
    mapping: mapping.map((entry) => ({ ...entry, path: withoutPeople(entry.path) })),
  })
}

export async function lockWebhook(tx: TransactionSql, accountId: string, id: string): Promise<void> {
  await tx`select 1 from webhooks where account_id = ${accountId} and id = ${id} for no key update`
}

/** Name, source label and defaults; what is not given stays. */
export async function changeWebhook(tx: TransactionSql, actor: Actor, id: string, change: Settings): Promise<boolean> {
  await lockWebhook(tx, actor.account_id, id)
  const webhook = await webhookById(tx, actor.account_id, id)
  if (!webhook) return false
  const { name, source_label, default_assignee, default_status, default_source, default_tags } = {
    ...webhook,
    ...change,
  }
  const changed = await tx`update webhooks set name = ${name}, source_label = ${source_label},
      default_assignee = ${default_assignee}, default_status = ${default_status}, default_source = ${default_source},
      default_tags = ${default_tags}
    where account_id = ${actor.account_id} and id = ${id}`
  return changedWebhook(tx, actor, id, changed.count, 'webhook.changed', { ...change })
}

/** A new address; the old one is unknown from now on, on every process. Null when there is no such webhook. */
export async function regenerateToken(tx: TransactionSql, actor: Actor, id: string): Promise<string | null> {
  const token = newToken()
  const changed = await tx`update webhooks set token = ${token} where account_id = ${actor.account_id} and id = ${id}`
  return (await changedWebhook(tx, actor, id, changed.count, 'webhook.regenerated')) ? token : null
}

/** As long as a path that is mapped by hand may be. */
const longestMapped = 2000

/** The first delivery's reading is kept as the proposed mapping; a later one never takes its place. */
export async function keepProposal(tx: TransactionSql, actor: Actor, id: string, picks: Pick[]): Promise<void> {
  const proposal = picks
    .filter(({ path }) => path.length <= longestMapped)
    .map(({ value, ...pick }) => ({ ...pick, path: withoutPeople(pick.path) }))
  await tx`update webhooks set proposal = ${tx.json(storable(proposal) as never)}
    where account_id = ${actor.account_id} and id = ${id} and proposal is null`
  await notifyDirectoryChanged(tx, actor.account_id)
}

export async function keepFields(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  fields: string[],
  now: Date,
): Promise<void> {
  const seen = Object.fromEntries(fields.map((field) => [field, now.toISOString()]))
  await tx`update webhooks set known_fields = ${tx.json(storable(seen))} || known_fields
    where account_id = ${actor.account_id} and id = ${id} and octet_length(known_fields::text) < ${mostKnownBytes}`
  await notifyDirectoryChanged(tx, actor.account_id)
}

/** Deliveries at the same moment each add what they see as new: the row is bounded here, for all of them. */
const mostKnownBytes = 128 * 1024

async function changedWebhook(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  count: number,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<boolean> {
  if (count === 0) return false
  await recordAudit(tx, actor, action, id, details)
  await notifyDirectoryChanged(tx, actor.account_id)
  return true
}

/** 192 random bits: the address is the only lock. */
const newToken = () => randomBytes(24).toString('base64url')
