import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { countAttempt, type RateLimit } from '../../platform/http/rate-limit.ts'
import { LinkHolder, LinkToken, NewPassword, SetUp } from './contract.ts'
import { findHolder, setPasswordByLink } from './password-links.ts'
import { requireOwnPage } from './require-session.ts'
import { setUpByLink } from './set-up-link.ts'
import { mustUseProvider } from './single-sign-on.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

/** For users with a one-time link, before they can sign in. The token is in the body, which is never logged. */
export const joinRoutes =
  (
    database: Database,
    limit: RateLimit,
    { baseUrl, singleSignOn }: { baseUrl: string; singleSignOn: SingleSignOn | null },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    requireOwnPage(app, baseUrl)
    app.addHook('onRequest', ({ ip }) => countAttempt(limit, ip))

    app.post(
      '/link',
      { schema: { body: LinkToken, response: { 200: Type.Object({ data: LinkHolder }) } } },
      async ({ body: { token } }) => {
        const holder = await findHolder(database.directory, token)
        if (!holder) throw noLink()
        const may_use_password = !(await mustUseProvider(database.directory, singleSignOn, holder.user_id))
        return { data: { ...holder, expires_at: instantText(holder.expires_at), may_use_password } }
      },
    )

    app.post(
      '/join',
      {
        schema: { body: NewPassword, response: { 200: Type.Object({ data: Type.Object({ email: Type.String() }) }) } },
      },
      async ({ body: { token, password } }) => {
        const holder = await setPasswordByLink(database.directory, token, password)
        if (!holder) throw noLink()
        return { data: { email: holder.email } }
      },
    )

    app.post(
      '/set-up',
      { schema: { body: SetUp, response: { 200: Type.Object({ data: Type.Object({ email: Type.String() }) }) } } },
      async ({ body }) => {
        if (!(await setUpByLink(database, body))) throw noLink()
        return { data: { email: body.email } }
      },
    )
  }

const noLink = () =>
  notFound(msg`This link was used, replaced, or has expired. Ask an Admin of your account for a new one.`, 'token')
