import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { findAccount, userByEmail } from '../../access/account/users.ts'
import { maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/http/problem.ts'
import { promiseGroups, TodayQuery } from './contract.ts'
import { readDueCalls } from './read-due-calls.ts'
import { readToday } from './read-today.ts'

/** The calls that users have promised. */
export const todayRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/today', { schema: { querystring: TodayQuery } }, async ({ webCaller, query }, reply) => {
      const { account_id: accountId, user_id, user } = webCaller
      const { users, ...account } = await findAccount(database, accountId)
      const owner =
        query.assigned_to === undefined ? user_id : userByEmail({ users, ...account }, query.assigned_to)?.id
      if (!owner || !maySee(webCaller, owner)) {
        throw invalid(msg`${{ field: 'assigned_to' }} must be the email of a user whose leads you see.`, 'assigned_to')
      }
      const ofTeam = query.team === 'true' && query.assigned_to === undefined
      const owners = ofTeam ? users.map(({ id }) => id).filter((id) => maySee(webCaller, id)) : [owner]
      const groups = await readAsActor(database, webCaller, async (tx) => {
        // As for the call queue: the plan follows the index of each owner.
        await tx`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
          set_config('enable_bitmapscan', 'off', true)`
        const withUnassigned = ofTeam && user.role === 'Admin'
        return readToday(tx, { accountId, owners, withUnassigned, now: clock() })
      })
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"data":{${promiseGroups.map((group) => `"${group}":${groups[group]}`).join(',')}}}`)
    })

    app.get('/today/due', async ({ webCaller }) => {
      const { account_id: accountId, user_id: userId } = webCaller
      const now = clock()
      return { data: await readAsActor(database, webCaller, (tx) => readDueCalls(tx, { accountId, userId, now })) }
    })
  }
