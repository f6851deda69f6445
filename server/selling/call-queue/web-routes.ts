import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { findAccount, userByEmail } from '../../access/account/users.ts'
import { coldBefore } from '../../crm/leads/follow-up.ts'
import { maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/http/problem.ts'
import { QueueQuery, queueReasons } from './contract.ts'
import { readQueue } from './read-queue.ts'

/** Which leads to call next, of one owner. */
export const callQueueRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/call-queue', { schema: { querystring: QueueQuery } }, async ({ webCaller, query }, reply) => {
      const { account_id, user_id } = webCaller
      const account = await findAccount(database, account_id)
      const owner = query.assigned_to === undefined ? user_id : userByEmail(account, query.assigned_to)?.id
      if (!owner || !maySee(webCaller, owner)) {
        throw invalid(msg`${{ field: 'assigned_to' }} must be the email of a user whose leads you see.`, 'assigned_to')
      }
      const { leads, counts } = await readAsActor(database, webCaller, async (tx) => {
        // Planning would take four times as long as reading. Without other scans, the plan follows an index in its order for each part,
        // which suits owners with many leads, too.
        await tx`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
          set_config('enable_bitmapscan', 'off', true)`
        // Missed calls and repeat enquiries of leads without an owner are for Admins, who alone see them.
        const withUnassigned = owner === user_id && webCaller.user.role === 'Admin'
        const now = clock()
        const { reason = null } = query
        return readQueue(tx, {
          accountId: account_id,
          owner,
          withUnassigned,
          reason,
          coldBefore: coldBefore(account, now),
          now,
        })
      })
      const all = Object.fromEntries(queueReasons.map((reason) => [reason, counts[reason] ?? 0]))
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"data":{"leads":${leads},"counts":${JSON.stringify(all)}}}`)
    })
  }
