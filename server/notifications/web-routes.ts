import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findAccount, nameOfHiddenOwner } from '../account/users.ts'
import { asActor, forWholeAccount, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { invalid } from '../http/problem.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import {
  AssignmentQuery,
  Assignments,
  NewSubscription,
  NotificationChange,
  NotificationSettings,
  SubscriptionEndpoint,
} from './contract.ts'
import { isPushKey } from './push-keys.ts'
import type { PushService } from './push-service.ts'
import { addSubscription, assignmentsAfter, changeSettings, readSettings, removeEndpoint } from './store.ts'
import { readSignedIn } from './subscriptions.ts'

interface Surroundings {
  push: PushService
  canMail: boolean
  clock: () => Date
}

/** What a user is notified of, and in which browsers. */
export const notificationRoutes =
  (database: Database, { push, canMail, clock }: Surroundings): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = { schema: { response: { 200: Type.Object({ data: NotificationSettings }) } } }

    app.get('/notifications', answer, async ({ webCaller }) => ({ data: await read(webCaller) }))

    app.patch(
      '/notifications',
      { schema: { ...answer.schema, body: NotificationChange } },
      async ({ webCaller, body }) => {
        const { account_id, user_id } = webCaller
        await asActor(database, { ...webCaller, silent: true }, (tx) =>
          changeSettings(tx, account_id, user_id, body, clock()),
        )
        return { data: await read(webCaller) }
      },
    )

    app.post(
      '/notifications/subscriptions',
      { schema: { ...answer.schema, body: NewSubscription } },
      async ({ webCaller, body }) => {
        if (!push.accepts(body.endpoint)) {
          throw invalid('endpoint must be the public HTTPS URL of a push service.', 'endpoint')
        }
        if (!isPushKey(body.keys.p256dh)) {
          throw invalid('keys.p256dh must be a point on the curve P-256.', 'keys')
        }
        await asActor(database, { ...forWholeAccount(webCaller), silent: true }, (tx) =>
          addSubscription(tx, webCaller, body, clock()),
        )
        return { data: await read(webCaller) }
      },
    )

    app.delete(
      '/notifications/subscriptions',
      { schema: { ...answer.schema, querystring: SubscriptionEndpoint } },
      async ({ webCaller, query: { endpoint } }) => {
        const { account_id, user_id } = webCaller
        await asActor(database, { ...webCaller, silent: true }, (tx) =>
          removeEndpoint(tx, account_id, user_id, endpoint),
        )
        return { data: await read(webCaller) }
      },
    )

    app.get(
      '/assignments',
      { schema: { querystring: AssignmentQuery, response: { 200: Type.Object({ data: Assignments }) } } },
      async ({ webCaller, query: { after } }) => {
        const { account_id, user_id } = webCaller
        const account = await findAccount(database, account_id)
        const { newest, assignments } = await readAsActor(database, forWholeAccount(webCaller), (tx) =>
          assignmentsAfter(tx, account_id, user_id, after),
        )
        const data = assignments.map((one) => ({
          ...one,
          passed_on: one.passed_on_to !== null,
          passed_on_to: nameOfHiddenOwner(account, one.passed_on_to),
        }))
        return { data: { newest, assignments: data } }
      },
    )

    async function read(caller: WebCaller): Promise<NotificationSettings> {
      const { account_id, user_id } = caller
      // On the primary, because it may have changed just now.
      return asActor(database, { ...caller, silent: true }, async (tx) => {
        const { user_id: _, ...settings } = (await readSettings(tx, account_id, [user_id])).get(user_id)!
        const browsers = (await readSignedIn(tx, database.directory, account_id, [user_id])).length
        return { ...settings, push_key: push.publicKey, browsers, can_mail: canMail }
      })
    }
  }
