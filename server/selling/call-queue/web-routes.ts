import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { findAccount, userByEmail } from '../../access/account/users.ts'
import { maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/http/problem.ts'
import { QueueQuery } from './contract.ts'
import { readQueue } from './read-queue.ts'

/** Which leads to call next, of one owner. */
export const callQueueRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/call-queue', { schema: { querystring: QueueQuery } }, async ({ webCaller, query }, reply) => {
      const { account_id, user_id } = webCaller
      const account = await findAccount(database, account_id)
      const email = query.assigned_to
      const owner = email === undefined ? account.users.find(({ id }) => id === user_id) : userByEmail(account, email)
      if (!owner || !maySee(webCaller, owner.id)) {
        throw invalid(msg`${{ field: 'assigned_to' }} must be the email of a user whose leads you see.`, 'assigned_to')
      }
      const { leads, counts } = await readAsActor(database, webCaller, async (tx) => {
        // Planning would take four times as long as reading. Without other scans, the plan follows an index in its order for each part,
        // which suits owners with many leads, too.
        await tx`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
          set_config('enable_bitmapscan', 'off', true)`
        // Leads without an owner are for Admins, who alone see them.
        const withUnassigned = owner.id === user_id && webCaller.user.role === 'Admin'
        const { reason = null } = query
        return readQueue(tx, { account, owner, withUnassigned, reason, now: clock() })
      })
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"data":{"leads":${leads},"counts":${JSON.stringify(counts)}}}`)
    })
  }
