import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { type Account, findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { asActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { forbidden, invalid } from '../../platform/http/problem.ts'
import {
  NewSubscription,
  Notices,
  NoticesQuery,
  NotificationChange,
  NotificationSettings,
  SettingsQuery,
  SubscriptionEndpoint,
  TestAnswer,
  TestMessage,
} from './contract.ts'
import { shownLead, testMessage } from './messages.ts'
import { isPushKey } from './push-keys.ts'
import type { PushService } from './push-service.ts'
import {
  addSubscription,
  changeSettings,
  noticesAfter,
  readSettings,
  removeEndpoint,
  removeSubscriptions,
} from './store.ts'
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

    app.get(
      '/notifications',
      { schema: { ...answer.schema, querystring: SettingsQuery } },
      async ({ webCaller, query: { endpoint } }) => ({ data: await read(webCaller, endpoint) }),
    )

    app.patch(
      '/notifications',
      { schema: { ...answer.schema, body: NotificationChange } },
      async ({ webCaller, body }) => {
        const { account_id, user_id, user } = webCaller
        if (user.role === 'Agent' && (body.digest || body.weekly_email))
          throw forbidden('PERMISSION_DENIED', msg`Only Managers and Admins get emails about their team.`)
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
          throw invalid(msg`${{ field: 'endpoint' }} must be the public HTTPS URL of a push service.`, 'endpoint')
        }
        if (!isPushKey(body.keys.p256dh)) {
          throw invalid(msg`keys.p256dh must be a point on the curve P-256.`, 'keys')
        }
        await asActor(database, { ...forWholeAccount(webCaller), silent: true }, (tx) =>
          addSubscription(tx, webCaller, body, clock()),
        )
        return { data: await read(webCaller, body.endpoint) }
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

    app.post(
      '/notifications/test',
      { schema: { body: TestMessage, response: { 200: Type.Object({ data: TestAnswer }) } } },
      async ({ webCaller, body: { endpoint, id } }) => {
        const one = (await subscriptionsOf(webCaller)).find((subscription) => subscription.endpoint === endpoint)
        if (!one) return { data: { outcome: 'none' as const } }
        const outcome = await push.send(one, testMessage(id, webCaller.language))
        if (outcome === 'gone') {
          const { account_id } = webCaller
          await asActor(database, { ...webCaller, silent: true }, (tx) => removeSubscriptions(tx, account_id, [one.id]))
        }
        return { data: { outcome } }
      },
    )

    app.get(
      '/notices',
      { schema: { querystring: NoticesQuery, response: { 200: Type.Object({ data: Notices }) } } },
      async ({ webCaller, query: { after } }) => {
        const { account_id, user_id } = webCaller
        const account = await findAccount(database, account_id)
        const { newest, notices } = await readAsActor(database, forWholeAccount(webCaller), (tx) =>
          noticesAfter(tx, account_id, user_id, after),
        )
        const data = notices.map(({ other_id, ...one }) => ({
          ...one,
          ...shownLead(one.kind, one),
          user: one.kind === 'passed_on' ? nameOfHiddenOwner(account, other_id) : nameOf(account, other_id),
        }))
        return { data: { newest, notices: data } }
      },
    )

    /** On the primary, because they may have changed just now. */
    const subscriptionsOf = (caller: WebCaller) =>
      asActor(database, { ...caller, silent: true }, (tx) =>
        readSignedIn(tx, database.directory, caller.account_id, [caller.user_id]),
      )

    async function read(caller: WebCaller, endpoint?: string): Promise<NotificationSettings> {
      const { account_id, user_id } = caller
      const subscriptions = await subscriptionsOf(caller)
      const { user_id: _, ...settings } = await asActor(database, { ...caller, silent: true }, async (tx) => {
        return (await readSettings(tx, account_id, [user_id])).get(user_id)!
      })
      return {
        ...settings,
        push_key: push.publicKey,
        browsers: subscriptions.length,
        has_endpoint: subscriptions.some((one) => one.endpoint === endpoint),
        can_mail: canMail,
      }
    }
  }

const nameOf = ({ users }: Account, id: string | null) => users.find((user) => user.id === id)?.name ?? null
