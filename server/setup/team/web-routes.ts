import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ListedUser } from '../../access/account/contract.ts'
import { createUser } from '../../access/account/store.ts'
import { changeEmail, mailEmailChanged } from '../../access/sign-in/change-email.ts'
import { EmailChange, PasswordLink } from '../../access/sign-in/contract.ts'
import { checkPassword } from '../../access/sign-in/credentials.ts'
import { mailLink } from '../../access/sign-in/mail-link.ts'
import { linkUrl, makePasswordLink } from '../../access/sign-in/password-links.ts'
import { unlink } from '../../access/sign-in/single-sign-on.ts'
import { resetTwoFactor } from '../../access/sign-in/two-factor.ts'
import { changeAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isConflict } from '../../platform/database/errors.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import { acceptedLanguage, translate } from '../../platform/languages/translate.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { activateUser, changeUser, deactivateUser, lockUser } from './change-user.ts'
import { Deactivated, Deactivation, Invitation, SingleSignOnUnlinked, TwoFactorReset, UserChange } from './contract.ts'
import { hasPassword, listUsers, listVisibleUsers } from './list-users.ts'
import { findReassignment, runReassignment } from './reassign-leads.ts'

/** Up to this many leads are reassigned before the answer. */
const maxAtOnce = 1000

export const teamRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/users',
      { schema: { response: { 200: Type.Object({ data: Type.Array(ListedUser) }) } } },
      async ({ webCaller }) => {
        const isAdmin = webCaller.user.role === 'Admin'
        return {
          data: isAdmin ? await listUsers(database, webCaller.account_id) : await listVisibleUsers(database, webCaller),
        }
      },
    )
  }

export const teamAdminRoutes =
  (database: Database, config: { baseUrl: string }, mailer: Mailer | null): FastifyPluginAsyncTypebox =>
  async (app) => {
    /** Call it after the transaction that created the link. */
    async function handOver(
      { webCaller: { language }, headers }: FastifyRequest,
      user_id: string,
      { token, expires_at }: { token: string; expires_at: Date },
    ) {
      const link = linkUrl(config.baseUrl, token)
      const mailed = await mailLink(database, mailer, { token, link, language })
      const mail_error = mailed.mail_error && translate(mailed.mail_error, acceptedLanguage(headers['accept-language']))
      const data = { user_id, link, expires_at: instantText(expires_at), mailed: mailed.mailed }
      return { data: mail_error ? { ...data, mail_error } : data }
    }

    app.post(
      '/users',
      { schema: { body: Invitation, response: { 201: Type.Object({ data: PasswordLink }) } } },
      async (request, reply) => {
        const { webCaller, body } = request
        const { id, made } = await changeAsActor(database, webCaller, async (tx) => {
          const id = await createUser(tx, webCaller, { ...body, team: body.team ?? null })
          return { id, made: await makePasswordLink(tx, webCaller, id, 'invitation') }
        }).catch(async (error) => {
          throw isConflict(error) ? await emailTaken(webCaller.account_id, body.email) : error
        })
        return reply.code(201).send(await handOver(request, id, made))
      },
    )

    async function emailTaken(accountId: string, email: string) {
      const users = await listUsers(database, accountId)
      const holder = users.find((user) => user.email.toLowerCase() === email.toLowerCase())
      return invalid(
        holder?.active === false
          ? msg`${{ name: holder.name }} has the email ${{ email: holder.email }} and is deactivated. Activate them instead.`
          : msg`Another user already has the email ${{ to: email }}.`,
        'email',
      )
    }

    app.patch(
      '/users/:id',
      {
        schema: {
          params: IdParameter,
          body: UserChange,
          response: { 200: Type.Object({ data: Type.Object({ id: Type.String() }) }) },
        },
      },
      async ({ webCaller, params: { id }, body }) => {
        await changeUser(database, webCaller, id, body)
        return { data: { id } }
      },
    )

    app.post(
      '/users/:id/email',
      {
        schema: {
          params: IdParameter,
          body: EmailChange,
          response: { 200: Type.Object({ data: Type.Object({ id: Type.String(), email: Type.String() }) }) },
        },
      },
      async ({ webCaller, params: { id }, body: { email, password }, log }) => {
        if (id === webCaller.user_id) throw invalid(msg`Change your own email in your profile.`)
        await checkPassword(database.directory, webCaller.user_id, password)
        const changed = await changeEmail(database, webCaller, id, { to: email, isConfirmed: true })
        await mailEmailChanged(mailer, changed, (reason) => log.warn({ reason }, 'no mail about a changed email'))
        return { data: { id, email } }
      },
    )

    app.post(
      '/users/:id/password-link',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: PasswordLink }) } } },
      async (request) => {
        const { webCaller } = request
        const { id } = request.params
        const kind = (await hasPassword(database, id)) ? 'reset' : 'invitation'
        const made = await changeAsActor(database, webCaller, async (tx) => {
          const { active } = await lockUser(tx, webCaller.account_id, id)
          if (!active) throw invalid(msg`This user is deactivated: activate them first.`)
          return makePasswordLink(tx, webCaller, id, kind)
        })
        return handOver(request, id, made)
      },
    )

    app.post(
      '/users/:id/two-factor-reset',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: TwoFactorReset }) } } },
      async ({ webCaller, params: { id } }) => {
        if (id === webCaller.user_id)
          throw invalid(msg`Turn off your own two-factor in your profile, which asks for your password.`)
        if (!(await resetTwoFactor(database.directory, webCaller, id))) {
          throw invalid(msg`This user has not turned on two-factor sign-in.`)
        }
        return { data: { id, two_factor: false } }
      },
    )

    app.delete(
      '/users/:id/single-sign-on',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: SingleSignOnUnlinked }) } } },
      async ({ webCaller, params: { id } }) => {
        await unlink(database.directory, webCaller, id)
        return { data: { id, single_sign_on: false } }
      },
    )

    app.post(
      '/users/:id/deactivation',
      {
        schema: { params: IdParameter, body: Deactivation, response: { 200: Type.Object({ data: Deactivated }) } },
      },
      async ({ webCaller, params: { id }, body: { reassign_to, with_closed = false }, log }) => {
        const job = await deactivateUser(database, webCaller, id, { to: reassign_to, withClosed: with_closed })
        const reassignment = job === null ? null : await reassign(webCaller.account_id, job, log)
        return { data: { id, active: false, leads_reassigned: reassignment?.moved ?? 0, reassignment } }
      },
    )

    /** Reassigns few leads before the answer, many after it. The service continues a failed job. */
    async function reassign(accountId: string, job: string, log: FastifyBaseLogger) {
      const { total } = await findReassignment(database, accountId, job)
      const run = runReassignment(database, accountId, job).catch((err) => log.error({ err }, 'reassigning leads'))
      if (total <= maxAtOnce) await Promise.race([run, pause(2000, undefined, { ref: false })])
      return findReassignment(database, accountId, job)
    }

    app.delete(
      '/users/:id/deactivation',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: Deactivated }) } } },
      async ({ webCaller, params: { id } }) => {
        await activateUser(database, webCaller, id)
        return { data: { id, active: true, leads_reassigned: 0, reassignment: null } }
      },
    )
  }
