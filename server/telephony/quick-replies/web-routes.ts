import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { lockLead } from '../../crm/leads/store.ts'
import { recordOnTimeline } from '../../crm/timeline/record.ts'
import { whatsAppOpenedSummary } from '../../crm/timeline/summaries.ts'
import { asActor, changeAsActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import {
  NewQuickReply,
  NotedOnTimeline,
  OpenedWhatsApp,
  QuickReplies,
  QuickReply,
  QuickReplyChange,
  QuickReplyPosition,
} from './contract.ts'
import { addReply, changeReply, type Holder, listReplies, moveReply, removeReply, titleOf } from './store.ts'

/** Users use the quick replies of the account and their own, and manage their own. */
export const quickReplyRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/quick-replies',
      { schema: { response: { 200: Type.Object({ data: QuickReplies }) } } },
      async ({ webCaller }) => {
        const { account_id, user_id } = webCaller
        return readAsActor(database, webCaller, async (tx) => ({
          data: {
            account: await listReplies(tx, account_id, null),
            own: await listReplies(tx, account_id, user_id),
          },
        }))
      },
    )

    await app.register(changesOf(database, '/profile/quick-replies', ({ user_id }) => user_id))

    /** Notes that a user opened WhatsApp. Whether a message was sent is not known. */
    app.post(
      '/leads/:id/whatsapp',
      {
        schema: {
          params: IdParameter,
          body: OpenedWhatsApp,
          response: { 201: Type.Object({ data: NotedOnTimeline }) },
        },
      },
      async ({ webCaller, params: { id }, body: { quick_reply_id, text } }, reply) => {
        const { account_id, user_id, user } = webCaller
        const summary = await asActor(database, webCaller, async (tx) => {
          const lead = await lockLead(tx, account_id, id)
          if (!lead) throw notFound(msg`No lead with this id.`)
          const title = quick_reply_id && (await titleOf(tx, account_id, user_id, quick_reply_id))
          if (quick_reply_id && title === null) {
            throw invalid(
              msg`${{ field: 'quick_reply_id' }} must be a quick reply of the account or your own.`,
              'quick_reply_id',
            )
          }
          const summary = whatsAppOpenedSummary(user.name, title)
          const details = text === undefined ? {} : { message: text }
          await recordOnTimeline(
            tx,
            { account_id, id, assigned_to: lead.assigned_to },
            { at: clock(), kind: 'whatsapp_opened', summary, details },
          )
          return summary
        })
        return reply.code(201).send({ data: { summary } })
      },
    )
  }

/** Admins manage the quick replies of the account. */
export const quickReplyAdminRoutes = (database: Database) => changesOf(database, '/quick-replies', () => null)

/** A change answers all quick replies of the holder as they are then. */
const changesOf =
  (database: Database, url: string, holderOf: (caller: WebCaller) => Holder): FastifyPluginAsyncTypebox =>
  async (app) => {
    const List = Type.Object({ data: Type.Array(QuickReply) })

    async function change(caller: WebCaller, work: (tx: TransactionSql, holder: Holder) => Promise<void>) {
      const holder = holderOf(caller)
      return changeAsActor(database, forWholeAccount(caller), async (tx) => {
        await work(tx, holder)
        return { data: await listReplies(tx, caller.account_id, holder) }
      })
    }

    app.post(url, { schema: { body: NewQuickReply, response: { 201: List } } }, async ({ webCaller, body }, reply) =>
      reply.code(201).send(await change(webCaller, (tx, holder) => addReply(tx, webCaller, holder, body))),
    )

    app.patch(
      `${url}/:id`,
      { schema: { params: IdParameter, body: QuickReplyChange, response: { 200: List } } },
      ({ webCaller, params: { id }, body }) =>
        change(webCaller, (tx, holder) => changeReply(tx, webCaller, holder, id, body)),
    )

    app.put(
      `${url}/:id/position`,
      { schema: { params: IdParameter, body: QuickReplyPosition, response: { 200: List } } },
      ({ webCaller, params: { id }, body: { position } }) =>
        change(webCaller, (tx, holder) => moveReply(tx, webCaller, holder, id, position)),
    )

    app.delete(
      `${url}/:id`,
      { schema: { params: IdParameter, response: { 200: List } } },
      ({ webCaller, params: { id } }) => change(webCaller, (tx, holder) => removeReply(tx, webCaller, holder, id)),
    )
  }
