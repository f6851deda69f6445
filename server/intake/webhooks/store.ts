import { randomBytes, randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { hasRoom } from '../../access/account/limit-number.ts'
import type { AuditAction } from '../../access/audit/contract.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { addSources } from '../../crm/leads/source-names.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, TransactionSql } from '../../platform/database/sql.ts'
import { storable } from '../../platform/database/storable.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { compareNames } from '../../platform/text/contract.ts'
import type { FieldMatch, MappingEntry } from '../payload/contract.ts'
import { withoutPersonalKeys } from '../payload/path.ts'
import { defaultsOf, noDefaults, type WebhookDefaults } from './contract.ts'

export interface Webhook extends WebhookDefaults {
  account_id: string
  id: string
  name: string
  source_label: string
  token: string
  enabled: boolean
  /** Set by hand. */
  mapping: MappingEntry[]
  /** The recognition of the first delivery, without its values: these are deleted with their lead. */
  proposal: Omit<FieldMatch, 'value'>[] | null
  /** Whether a user saved or confirmed the mapping since the first delivery was expected. */
  mapping_checked: boolean
  /** The paths that were received, each with the time of the first. */
  known_fields: Record<string, string>
  /** Sent back by Meta and WhatsApp when they check the webhook URL. */
  verify_token: string
  /** The secret of the account's app at Zoom, by which the answer to a check of the URL is signed. */
  secret_token: string | null
  created_at: Date
}

type ListedWebhook = Pick<Webhook, 'id' | 'name' | 'source_label' | 'token' | 'enabled' | 'verify_token' | 'created_at'>

/** By name. */
export async function listWebhooks(sql: Sql | TransactionSql, accountId: string): Promise<ListedWebhook[]> {
  const webhooks = await sql<ListedWebhook[]>`
    select id, name, source_label, token, enabled, verify_token, created_at from webhooks
    where account_id = ${accountId} order by created_at, id`
  return webhooks.toSorted((one, other) => compareNames(one.name, other.name))
}

/** Newer ones are likelier to be of the platform that is connected now. */
const maxMapped = 20

/** Returns the newest webhooks with a manual mapping, with the paths that they know. */
export async function mappedWebhooks(tx: TransactionSql, accountId: string) {
  return tx<Pick<Webhook, 'id' | 'name' | 'mapping' | 'known_fields'>[]>`
    select id, name, mapping, known_fields from webhooks where account_id = ${accountId} and mapping <> '[]'
    order by created_at desc, id limit ${maxMapped}`
}

export async function webhookById(tx: TransactionSql, accountId: string, id: string): Promise<Webhook | null> {
  const [row] = await tx<Webhook[]>`select * from webhooks where account_id = ${accountId} and id = ${id}`
  return row ?? null
}

/** Returns a webhook of the account, or fails with 404. */
export async function existingWebhook(tx: TransactionSql, accountId: string, id: string): Promise<Webhook> {
  const webhook = await webhookById(tx, accountId, id)
  if (!webhook) throw notFound(msg`There is no such webhook.`)
  return webhook
}

/** An account may have so many. */
export const maxWebhooks = 200

export type NewWebhook = Pick<Webhook, 'name' | 'source_label'> & Partial<WebhookDefaults>

type Settings = Partial<NewWebhook & Pick<Webhook, 'secret_token'>>

export async function createWebhook(tx: TransactionSql, actor: Actor, webhook: NewWebhook) {
  const held = tx`select from webhooks where account_id = ${actor.account_id}`
  if (!(await hasRoom(tx, actor.account_id, held, maxWebhooks)))
    throw invalid(msg`The account has ${{ maxWebhooks }} webhooks. Delete one first.`, 'name')
  const id = randomUUID()
  const token = newToken()
  const verify_token = randomBytes(12).toString('hex')
  const { account_id } = actor
  const { name, source_label } = webhook
  const defaults = defaultsOf({ ...noDefaults, ...webhook })
  const row = { account_id, id, name, source_label, token, verify_token, ...defaults, created_at: new Date() }
  await tx`insert into webhooks ${tx(row)}`
  await addSources(tx, account_id, [defaults.default_source ?? source_label])
  await recordAudit(tx, actor, { action: 'webhook.created', subject_id: id, details: { name } })
  // Processes cache which tokens are unknown.
  await notifyDirectoryChanged(tx, actor.account_id)
  return { id, token, verify_token }
}

/** Returns false where the account has no such webhook, as the functions below do. */
export async function setEnabled(tx: TransactionSql, actor: Actor, id: string, enabled: boolean): Promise<boolean> {
  const changed =
    await tx`update webhooks set enabled = ${enabled} where account_id = ${actor.account_id} and id = ${id}`
  return recordChange(tx, actor, { id, count: changed.count, action: enabled ? 'webhook.enabled' : 'webhook.disabled' })
}

export async function setMapping(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  mapping: MappingEntry[],
): Promise<boolean> {
  const changed = await tx`update webhooks set mapping = ${tx.json(mapping as never)}, mapping_checked = true
    where account_id = ${actor.account_id} and id = ${id}`
  const details = { mapping: mapping.map((entry) => ({ ...entry, path: withoutPersonalKeys(entry.path) })) }
  return recordChange(tx, actor, { id, count: changed.count, action: 'webhook.mapped', details })
}

export async function lockWebhook(tx: TransactionSql, accountId: string, id: string): Promise<void> {
  await tx`select 1 from webhooks where account_id = ${accountId} and id = ${id} for no key update`
}

/** Changes name, source label, defaults and secret token, which the audit log does not show; what is not given stays. */
export async function changeWebhook(tx: TransactionSql, actor: Actor, id: string, change: Settings): Promise<boolean> {
  await lockWebhook(tx, actor.account_id, id)
  const webhook = await webhookById(tx, actor.account_id, id)
  if (!webhook) return false
  const after = { ...webhook, ...change }
  const { name, source_label, secret_token } = after
  const defaults = Object.entries(defaultsOf(after)).map(([column, value]) => tx`${tx(column)} = ${value},`)
  const changed = await tx`update webhooks set ${defaults}
      name = ${name}, source_label = ${source_label}, secret_token = ${secret_token}
    where account_id = ${actor.account_id} and id = ${id}`
  await addSources(tx, actor.account_id, [after.default_source ?? source_label])
  const details = { ...change, ...('secret_token' in change && { secret_token: secret_token && 'changed' }) }
  return recordChange(tx, actor, { id, count: changed.count, action: 'webhook.changed', details })
}

/** Gives the webhook a new URL; the old one stops in every process. Returns null where there is no such webhook. */
export async function regenerateToken(tx: TransactionSql, actor: Actor, id: string): Promise<string | null> {
  const token = newToken()
  const changed = await tx`update webhooks set token = ${token} where account_id = ${actor.account_id} and id = ${id}`
  return (await recordChange(tx, actor, { id, count: changed.count, action: 'webhook.regenerated' })) ? token : null
}

export async function isActiveUser(tx: TransactionSql, accountId: string, userId: string): Promise<boolean> {
  const users = await tx`select 1 from users
    where account_id = ${accountId} and id = ${userId} and deactivated_at is null`
  return users.length > 0
}

/** The longest path that can be mapped by hand. */
const maxMappedLength = 2000

/** Saves the recognition of the first delivery as the proposed mapping; a later one never replaces it. */
export async function saveProposal(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  matches: NonNullable<Webhook['proposal']>,
): Promise<void> {
  const proposal = matches
    .filter(({ path }) => path.length <= maxMappedLength)
    .map((match) => ({ ...match, path: withoutPersonalKeys(match.path) }))
  await tx`update webhooks set proposal = ${tx.json(storable(proposal) as never)}
    where account_id = ${actor.account_id} and id = ${id} and proposal is null`
  await notifyDirectoryChanged(tx, actor.account_id)
}

export async function saveKnownFields(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  { paths, since }: { paths: string[]; since: Date },
): Promise<void> {
  const seen = Object.fromEntries(paths.map((path) => [path, since.toISOString()]))
  await tx`update webhooks set known_fields = ${tx.json(storable(seen))} || known_fields
    where account_id = ${actor.account_id} and id = ${id} and octet_length(known_fields::text) < ${maxKnownBytes}`
  await notifyDirectoryChanged(tx, actor.account_id)
}

/** Deliveries at the same moment each add what is new to them, so the row has a limit here. */
const maxKnownBytes = 128 * 1024

interface Change {
  id: string
  /** How many rows were changed. */
  count: number
  action: AuditAction
  details?: Record<string, unknown>
}

async function recordChange(
  tx: TransactionSql,
  actor: Actor,
  { id, count, action, details = {} }: Change,
): Promise<boolean> {
  if (count === 0) return false
  await recordAudit(tx, actor, { action, subject_id: id, details })
  await notifyDirectoryChanged(tx, actor.account_id)
  return true
}

/** 192 random bits: the URL is the only secret. */
const newToken = () => randomBytes(24).toString('base64url')
