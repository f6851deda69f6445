import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import { countAttempt, type RateLimits } from '../http/rate-limit.ts'
import type { Mailer } from '../mail/mailer.ts'
import { Forgotten, SignInOptions } from './contract.ts'
import { mailForgotten } from './forgotten-password.ts'
import { requireOwnPage } from './require-session.ts'

const hour = 3600

/** For users who forgot their password. Neither the answer nor its time shows whether the user exists. */
export const forgottenRoutes =
  (database: Database, mailer: Mailer | null, limits: RateLimits, baseUrl: string): FastifyPluginAsyncTypebox =>
  async (app) => {
    const byIp = limits.limit('forgotten', 10)
    const byEmail = limits.limit('forgotten-email', 3, hour)
    const afterwards = doAfterwards(app)
    const response = { 200: Type.Object({ data: SignInOptions }) }
    const options = { data: { mail: mailer !== null } }
    requireOwnPage(app, baseUrl)

    app.get('/sign-in-options', { schema: { response } }, async () => options)

    app.post('/forgotten', { schema: { body: Forgotten, response } }, async (request, reply) => {
      await countAttempt(byIp, request.ip)
      const { email } = request.body
      if (mailer) {
        reply.raw.once('close', () =>
          afterwards(async () => {
            if (!(await byEmail.count(hashOf(email))).allowed) return
            const done = await mailForgotten(database, mailer, baseUrl, email)
            if (done?.mail_error) request.log.error({ reason: done.mail_error }, 'no mail for a forgotten password')
          }, request.log),
        )
      }
      return options
    })
  }

/** Work in the background, which the service finishes before it ends. */
function doAfterwards(app: FastifyInstance) {
  const underWay = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(underWay)))
  return (work: () => Promise<void>, log: FastifyInstance['log']) => {
    const done = work()
      .catch((error) => log.error({ err: error }, 'forgotten password'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
}

/** Redis may store it, so it is not the email itself. */
const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url')
