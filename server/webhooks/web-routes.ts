import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Actor, changeAsActor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { TransactionSql } from '../database/sql.ts'
import { checkUnchanged } from '../http/check-unchanged.ts'
import { IdParameter } from '../http/contract.ts'
import { instantText, istDay } from '../http/instants.ts'
import { forbidden, invalid, notFound } from '../http/problem.ts'
import { fieldsSinceTheFirst } from '../payload/compare-fields.ts'
import { isUncertain } from '../payload/contract.ts'
import {
  ListedWebhook,
  MappingDryRun,
  MappingToPreview,
  ReplayableCount,
  ReplayedDeliveries,
  ReplayRequest,
  ShownWebhook,
  TestDelivery,
  WebhookChange,
  WebhookToCreate,
  WebhookUrl,
} from './contract.ts'
import { describeActivity } from './deliveries/activity.ts'
import { changedDeliveries, countLosses, dryRunMapping, offerIgnored } from './deliveries/dry-run.ts'
import { processDelivery } from './deliveries/process-delivery.ts'
import { countReplayable, replaySome } from './deliveries/replay.ts'
import { storedOn } from './deliveries/storage-quota.ts'
import {
  changeWebhook,
  createWebhook,
  isActiveUser,
  listWebhooks,
  lockWebhook,
  regenerateToken,
  setEnabled,
  setMapping,
  type Webhook,
  webhookById,
} from './store.ts'

const Shown = Type.Object({ data: ShownWebhook })

/** Webhooks and their settings, for Admins. */
export const webhookRoutes =
  (database: Database, baseUrl: string, storageMb: number, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    const urlOf = (token: string) => `${baseUrl}/webhook/${token}`

    app.get(
      '/webhooks',
      { schema: { response: { 200: Type.Object({ data: Type.Array(ListedWebhook) }) } } },
      async ({ webCaller }) => ({
        data: await readAsActor(database, webCaller, async (tx) => {
          const webhooks = await listWebhooks(tx, webCaller.account_id)
          const activity = await describeActivity(tx, webCaller.account_id, clock())
          return webhooks.map(({ id, name, source_label, enabled, created_at }) => {
            return { id, name, source_label, enabled, created_at: instantText(created_at), ...activity(id) }
          })
        }),
      }),
    )

    app.post(
      '/webhooks',
      { schema: { body: WebhookToCreate, response: { 201: Type.Object({ data: WebhookUrl }) } } },
      async ({ webCaller, body }, reply) => {
        const { id, token, verify_token } = await changeAsActor(database, webCaller, async (tx) => {
          await checkAssignee(tx, webCaller, body.default_assignee)
          return createWebhook(tx, webCaller, { ...noDefaults, ...body })
        })
        return reply.code(201).send({ data: { id, url: urlOf(token), verify_token } })
      },
    )

    app.get(
      '/webhooks/:id',
      { schema: { params: IdParameter, response: { 200: Shown } } },
      async ({ webCaller, params: { id } }) => readAsActor(database, webCaller, (tx) => shown(tx, webCaller, id)),
    )

    app.patch(
      '/webhooks/:id',
      { schema: { params: IdParameter, body: WebhookChange, response: { 200: Shown } } },
      async ({ webCaller, params: { id }, body: { was, mapping, enabled, ...settings } }) => {
        const changed = await changeAsActor(database, webCaller, async (tx) => {
          if (was) {
            await lockWebhook(tx, webCaller.account_id, id)
            checkUnchanged(was, await webhookWith(tx, webCaller, id))
          }
          await checkAssignee(tx, webCaller, settings.default_assignee)
          if (Object.keys(settings).length > 0) await changeWebhook(tx, webCaller, id, settings)
          if (mapping !== undefined) await setMapping(tx, webCaller, id, mapping)
          if (enabled !== undefined) await setEnabled(tx, webCaller, id, enabled)
          return shown(tx, webCaller, id)
        })
        if (mapping !== undefined) {
          const webhook = await readAsActor(database, webCaller, (tx) => webhookWith(tx, webCaller, id))
          await offerIgnored(database, webCaller, webhook)
        }
        return changed
      },
    )

    app.post(
      '/webhooks/:id/regenerate-url',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: WebhookUrl }) } } },
      async ({ webCaller, params: { id } }) =>
        changeAsActor(database, webCaller, async (tx) => {
          const token = await regenerateToken(tx, webCaller, id)
          if (token === null) throw noWebhook()
          const { verify_token } = await webhookWith(tx, webCaller, id)
          return { data: { id, url: urlOf(token), verify_token } }
        }),
    )

    app.post(
      '/webhooks/:id/dry-run',
      {
        schema: {
          params: IdParameter,
          body: MappingToPreview,
          response: { 200: Type.Object({ data: MappingDryRun }) },
        },
      },
      async ({ webCaller, params: { id }, body: { mapping } }) => {
        const webhook = await readAsActor(database, webCaller, (tx) => webhookWith(tx, webCaller, id))
        const tried = await dryRunMapping(database, webCaller, webhook, { mapping, limit: 50 })
        const changed = changedDeliveries(tried)
        const deliveries = changed.map((delivery) => ({ ...delivery, received_at: instantText(delivery.received_at) }))
        return { data: { tried: tried.length, changed: changed.length, ...countLosses(tried), deliveries } }
      },
    )

    app.get(
      '/webhooks/:id/replay',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: ReplayableCount }) } } },
      async ({ webCaller, params: { id } }) =>
        readAsActor(database, webCaller, async (tx) => {
          await webhookWith(tx, webCaller, id)
          return { data: await countReplayable(tx, webCaller.account_id, id) }
        }),
    )

    app.post(
      '/webhooks/:id/replay',
      {
        schema: {
          params: IdParameter,
          body: ReplayRequest,
          response: { 200: Type.Object({ data: ReplayedDeliveries }) },
        },
      },
      async ({ webCaller, params: { id }, body: { after = null } }) => {
        await readAsActor(database, webCaller, (tx) => webhookWith(tx, webCaller, id))
        return { data: await replaySome(database, webCaller, id, after) }
      },
    )

    // Processed like a platform's own test, but it never becomes the proposed mapping.
    app.post(
      '/webhooks/:id/test',
      {
        schema: {
          params: IdParameter,
          body: TestDelivery,
          response: { 201: Type.Object({ data: Type.Object({ delivery_id: Type.String() }) }) },
        },
      },
      async ({ webCaller, params: { id }, body, ip }, reply) => {
        const webhook = await readAsActor(database, webCaller, (tx) => webhookWith(tx, webCaller, id))
        if (!webhook.enabled) throw forbidden('WEBHOOK_DISABLED', 'This webhook is disabled: enable it first.')
        const delivery = {
          account_id: webhook.account_id,
          id: randomUUID(),
          webhook_id: id,
          received_at: clock(),
          address: ip,
          content_type: 'application/json',
          body: Buffer.from(JSON.stringify({ ...(body.payload ?? sample), is_test: true })),
        }
        await processDelivery({ database, webhook, delivery }, { ownTest: true })
        return reply.code(201).send({ data: { delivery_id: delivery.id } })
      },
    )

    async function shown(tx: TransactionSql, actor: Actor, id: string) {
      const { account_id, token, known_fields, mapping_checked, ...webhook } = await webhookWith(tx, actor, id)
      const activity = await describeActivity(tx, account_id, clock(), id)
      const new_fields = fieldsSinceTheFirst(known_fields)
      const created_at = instantText(webhook.created_at)
      const needs_check = !mapping_checked && (webhook.proposal ?? []).some(isUncertain)
      const stored = await storedOn(tx, account_id, istDay(clock()), id)
      const [lost = [], limited = []] = [true, false].map((isLost) =>
        stored.filter(({ kind }) => (kind === 'lost') === isLost),
      )
      const sum = (some: (typeof stored)[number][], key: 'bytes' | 'cut' | 'dropped') =>
        some.reduce((total, one) => total + one[key], 0)
      const storage = {
        bytes: sum(limited, 'bytes'),
        quota: storageMb * 1024 * 1024,
        cut: sum(limited, 'cut'),
        dropped: sum(limited, 'dropped'),
        lost: sum(lost, 'dropped'),
      }
      return { data: { ...webhook, created_at, url: urlOf(token), needs_check, new_fields, storage, ...activity(id) } }
    }
  }

const noDefaults = {
  default_assignee: null,
  default_status: 'New' as const,
  default_source: null,
  default_tags: [],
}

const sample = {
  name: 'Asha Rao',
  phone: '+91 98200 11223',
  email: 'asha.rao@example.com',
  city: 'Pune',
  message: 'A test delivery: please call back in the evening.',
}

async function webhookWith(tx: TransactionSql, actor: Actor, id: string): Promise<Webhook> {
  const webhook = await webhookById(tx, actor.account_id, id)
  if (!webhook) throw noWebhook()
  return webhook
}

async function checkAssignee(tx: TransactionSql, { account_id }: Actor, id: string | null | undefined) {
  if (id && !(await isActiveUser(tx, account_id, id))) {
    throw invalid('default_assignee must be an active user of the account.', 'default_assignee')
  }
}

const noWebhook = () => notFound('There is no such webhook.')
