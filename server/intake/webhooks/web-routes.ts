import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { type Actor, changeAsActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import { fieldsSinceTheFirst } from '../payload/compare-fields.ts'
import { isUncertain } from '../payload/contract.ts'
import { ListedWebhook, ShownWebhook, WebhookChange, WebhookToCreate, WebhookUrl } from './contract.ts'
import { describeActivity } from './deliveries/activity.ts'
import { storedOn } from './deliveries/storage-quota.ts'
import {
  changeWebhook,
  createWebhook,
  existingWebhook,
  isActiveUser,
  listWebhooks,
  lockWebhook,
  regenerateToken,
  setEnabled,
  setMapping,
} from './store.ts'

const Shown = Type.Object({ data: ShownWebhook })

interface Settings {
  baseUrl: string
  storageMb: number
  /** Runs after a mapping is saved. */
  onMapped: (actor: Actor, webhookId: string) => Promise<void>
  clock: () => Date
}

/** Webhooks and their settings, for Admins. */
export const webhookRoutes =
  (database: Database, { baseUrl, storageMb, onMapped, clock }: Settings): FastifyPluginAsyncTypebox =>
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
          return createWebhook(tx, webCaller, body)
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
            checkUnchanged(was, await existingWebhook(tx, webCaller.account_id, id))
          }
          await checkAssignee(tx, webCaller, settings.default_assignee)
          if (Object.keys(settings).length > 0) await changeWebhook(tx, webCaller, id, settings)
          if (mapping !== undefined) await setMapping(tx, webCaller, id, mapping)
          if (enabled !== undefined) await setEnabled(tx, webCaller, id, enabled)
          return shown(tx, webCaller, id)
        })
        if (mapping !== undefined) await onMapped(webCaller, id)
        return changed
      },
    )

    app.post(
      '/webhooks/:id/regenerate-url',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: WebhookUrl }) } } },
      async ({ webCaller, params: { id } }) =>
        changeAsActor(database, webCaller, async (tx) => {
          await regenerateToken(tx, webCaller, id)
          const { token, verify_token } = await existingWebhook(tx, webCaller.account_id, id)
          return { data: { id, url: urlOf(token), verify_token } }
        }),
    )

    async function shown(tx: TransactionSql, actor: Actor, id: string) {
      const { account_id, token, known_fields, mapping_checked, ...webhook } = await existingWebhook(
        tx,
        actor.account_id,
        id,
      )
      const activity = await describeActivity(tx, account_id, clock(), id)
      const new_fields = fieldsSinceTheFirst(known_fields)
      const created_at = instantText(webhook.created_at)
      const needs_check = !mapping_checked && (webhook.proposal ?? []).some(isUncertain)
      const stored = await storedOn(tx, account_id, istDay(clock()), id)
      const storage = { ...stored, quota: storageMb * 1024 * 1024 }
      return { data: { ...webhook, created_at, url: urlOf(token), needs_check, new_fields, storage, ...activity(id) } }
    }
  }

async function checkAssignee(tx: TransactionSql, { account_id }: Actor, id: string | null | undefined) {
  if (id && !(await isActiveUser(tx, account_id, id))) {
    throw invalid(msg`${{ field: 'default_assignee' }} must be an active user of the account.`, 'default_assignee')
  }
}
