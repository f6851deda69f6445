import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import { instantText } from '../http/instants.ts'
import { notFound } from '../http/problem.ts'
import { countAttempt, type RateLimit } from '../http/rate-limit.ts'
import { LinkHolder, LinkToken, NewPassword } from './contract.ts'
import { findHolder, setPasswordByLink } from './password-links.ts'
import { requireOwnPage } from './require-session.ts'

/** For users with a one-time link, before they can sign in. The token is in the body, which is never logged. */
export const joinRoutes =
  (database: Database, limit: RateLimit, baseUrl: string): FastifyPluginAsyncTypebox =>
  async (app) => {
    requireOwnPage(app, baseUrl)
    app.addHook('onRequest', ({ ip }) => countAttempt(limit, ip))

    app.post(
      '/link',
      { schema: { body: LinkToken, response: { 200: Type.Object({ data: LinkHolder }) } } },
      async ({ body: { token } }) => {
        const holder = await findHolder(database.directory, token)
        if (!holder) throw noLink()
        return { data: { ...holder, expires_at: instantText(holder.expires_at) } }
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
  }

const noLink = () =>
  notFound('This link was used, replaced, or has expired. Ask an Admin of your account for a new one.', 'token')
