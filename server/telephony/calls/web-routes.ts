import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { findAccount } from '../../access/account/users.ts'
import { requirePermission, type WebCaller } from '../../access/sign-in/require-session.ts'
import { actAs, asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText, readInstant, wholeSecond } from '../../platform/http/instants.ts'
import { forbidden, notFound } from '../../platform/http/problem.ts'
import { answerOnce, readIdempotencyKey } from '../../platform/idempotency/answer-once.ts'
import { changeCall } from './change-call.ts'
import { CallCorrection, NewCallOfLead, NewCallReview, type WholeCall } from './contract.ts'
import { logCall, retryIfUnreached } from './log-call.ts'
import { takeBack, undoWithin } from './log-once.ts'
import { callLogAnswer, newCall } from './new-call.ts'
import { findRecording } from './recording.ts'
import { removeCall } from './remove-call.ts'
import { reviewCall } from './review-call.ts'
import { type CallLogRow, type DeletedCall, findCallLog } from './store.ts'

/** Logs, reads, corrects and deletes calls in the web app. */
export const callWebRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/leads/:id/calls', { schema: { params: IdParameter, body: NewCallOfLead } }, async (request, reply) => {
      const { webCaller, params, body } = request
      const { status, call_again_at, no_next_step, lost_reason, ...fields } = body
      const at = clock()
      const call = newCall({ ...fields, lead_id: params.id }, at, { called_by: webCaller.user_id })
      const logged = {
        account: await findAccount(database, webCaller.account_id),
        call,
        status,
        lost_reason,
        call_again_at: call_again_at === undefined ? undefined : readInstant(call_again_at),
        no_next_step,
        at,
      }
      const key = readIdempotencyKey(request)
      if (key === null) {
        return reply.code(201).send(await asActor(database, webCaller, (tx) => logCall(tx, webCaller, logged)))
      }
      return answerOnce({ database, actor: webCaller, request, reply, key }, async (tx) => {
        await actAs(tx, webCaller)
        return { status: 201, body: await logCall(tx, webCaller, logged), lead_id: params.id }
      })
    })

    app.get('/leads/:id/retry', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const account = await findAccount(database, webCaller.account_id)
      const at = await readAsActor(database, webCaller, (tx) => retryIfUnreached(tx, account, { id, now: clock() }))
      if (!at) throw notFound(msg`No lead with this id.`)
      return { data: { retry_at: instantText(at) } }
    })

    app.get('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const call = await readAsActor(database, webCaller, (tx) => findCallLog(tx, webCaller.account_id, id))
      if (!call) throw notFound(msg`There is no such call log.`)
      return { data: wholeCall(webCaller, call) }
    })

    app.get(
      '/calls/:id/recording',
      { schema: { params: IdParameter } },
      async ({ webCaller, params: { id } }, reply) => {
        const url = await readAsActor(database, webCaller, (tx) => findRecording(tx, webCaller.account_id, id))
        if (url === null) throw notFound(msg`There is no recording of such a call.`)
        return reply.header('referrer-policy', 'no-referrer').redirect(url, 302)
      },
    )

    app.patch(
      '/calls/:id',
      { schema: { params: IdParameter, body: CallCorrection } },
      async ({ webCaller, params: { id }, body }) => {
        const { was, called_at, ...fields } = body
        const change = { ...fields, ...(called_at ? { called_at: wholeSecond(readInstant(called_at)) } : {}) }
        const check = (call: CallLogRow) => {
          if (!mayCorrect(webCaller, call)) {
            throw forbidden(
              'PERMISSION_DENIED',
              msg`Only the user who called, Managers and Admins may correct this call.`,
            )
          }
          checkUnchanged(was, callLogAnswer(call))
        }
        const call = await asActor(database, webCaller, (tx) =>
          changeCall(tx, webCaller, id, change, { at: clock(), by: webCaller.user.name, check }),
        )
        return { data: wholeCall(webCaller, call) }
      },
    )

    app.put(
      '/calls/:id/review',
      { schema: { params: IdParameter, body: NewCallReview } },
      async ({ webCaller, params: { id }, body: { mark, remark } }) => {
        const review = { mark, remark: remark?.trim() || null }
        return { data: await reviewCall(database, webCaller, id, review, clock()) }
      },
    )

    app.delete('/calls/:id/review', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      return { data: await reviewCall(database, webCaller, id, null, clock()) }
    })

    app.delete('/calls/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const at = clock()
      if (await asActor(database, webCaller, (tx) => takeBack(tx, webCaller, { id, at })))
        return { data: { id, deleted: true } }
      const check = (call: DeletedCall) => {
        if (!mayUndo(webCaller, call, at)) requirePermission(webCaller, 'delete')
      }
      await removeCall(database, webCaller, id, { at, check })
      return { data: { id, deleted: true } }
    })
  }

const wholeCall = (caller: WebCaller, call: CallLogRow): WholeCall => ({
  ...callLogAnswer(call),
  may_correct: mayCorrect(caller, call),
})

const mayCorrect = ({ user_id, user }: WebCaller, call: CallLogRow) =>
  user.role !== 'Agent' || call.called_by === user_id

/** A user takes back a call that they have just logged. The calls of a telephone system stay. */
const mayUndo = ({ user_id }: WebCaller, call: DeletedCall, at: Date) =>
  call.called_by === user_id && !call.isOfPhoneSystem && at.getTime() - call.created_at.getTime() <= undoWithin
