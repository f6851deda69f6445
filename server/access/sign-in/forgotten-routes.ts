import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { countAttempt, type RateLimits } from '../../platform/http/rate-limit.ts'
import { translate } from '../../platform/languages/translate.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { Forgotten, SignInOptions } from './contract.ts'
import { mailForgotten } from './forgotten-password.ts'
import { requireOwnPage } from './require-session.ts'
import { openSetUpState } from './set-up-link.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'

const hour = 3600

/** For users who forgot their password. Neither the answer nor its time shows whether the user exists. */
export const forgottenRoutes =
  (
    database: Database,
    mailer: Mailer | null,
    limits: RateLimits,
    { baseUrl, singleSignOn }: { baseUrl: string; singleSignOn: SingleSignOn | null },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const byIp = limits.limit('forgotten', 10)
    const byEmail = limits.limit('forgotten-email', 3, hour)
    const afterwards = doAfterwards(app)
    const mail = mailer !== null
    const single_sign_on = singleSignOn && { name: singleSignOn.name, only: singleSignOn.only }
    const isSetUp = openSetUpState(database.directory)
    requireOwnPage(app, baseUrl)

    const options = { 200: Type.Object({ data: SignInOptions }) }
    app.get('/sign-in-options', { schema: { response: options } }, async () => ({
      data: { mail, is_set_up: await isSetUp(), single_sign_on },
    }))

    const response = { 200: Type.Object({ data: Type.Pick(SignInOptions, ['mail']) }) }
    app.post('/forgotten', { schema: { body: Forgotten, response } }, async (request, reply) => {
      await countAttempt(byIp, request.ip)
      const { email } = request.body
      if (mailer) {
        reply.raw.once('close', () =>
          afterwards(async () => {
            if (!(await byEmail.count(hashOf(email))).allowed) return
            const done = await mailForgotten(database, mailer, baseUrl, email)
            if (done?.mail_error)
              request.log.error({ reason: translate(done.mail_error) }, 'no mail for a forgotten password')
          }, request.log),
        )
      }
      return { data: { mail } }
    })
  }

/** Work in the background, which the service finishes before it ends. */
function doAfterwards(app: FastifyInstance) {
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(running)))
  return (work: () => Promise<void>, log: FastifyInstance['log']) => {
    const done = work()
      .catch((error) => log.error({ err: error }, 'forgotten password'))
      .finally(() => running.delete(done))
    running.add(done)
  }
}

/** Redis may store it, so it is not the email itself. */
const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url')
