import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, rateLimited } from '../../platform/http/problem.ts'
import type { RateLimits } from '../../platform/http/rate-limit.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { type Mailer, MailFailure } from '../../platform/mail/mailer.ts'
import { findAccount } from '../account/users.ts'
import { changeEmail, codeEmail, mailEmailChanged, rejectSameEmail } from '../sign-in/change-email.ts'
import { checkPassword } from '../sign-in/credentials.ts'
import { emailCode, isEmailCode } from '../sign-in/email-code.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import { changeOwnLanguage } from './change-language.ts'
import { changeOwnName } from './change-name.ts'
import { LanguageChange, OwnEmail, OwnEmailChange, Profile, ProfileChange } from './contract.ts'

interface Surroundings {
  mailer: Mailer | null
  limits: RateLimits
  /** Signs codes. */
  secret: string
  clock: () => Date
}

export const profileRoutes =
  (database: Database, { mailer, limits, secret, clock }: Surroundings): FastifyPluginAsyncTypebox =>
  async (app) => {
    const codes = limits.limit('email-code', 5, 3600)

    app.get('/me', { schema: { response: { 200: Type.Object({ data: Profile }) } } }, async ({ webCaller, ip }) => {
      return { data: await profileOf(webCaller, ip) }
    })

    app.patch(
      '/me',
      { schema: { body: ProfileChange, response: { 200: Type.Object({ data: Profile }) } } },
      async ({ webCaller, ip, body: { name } }) => {
        await changeOwnName(database, webCaller, name)
        return { data: await profileOf({ ...webCaller, user: { ...webCaller.user, name } }, ip) }
      },
    )

    app.put(
      '/me/language',
      { schema: { body: LanguageChange, response: { 200: Type.Object({ data: Profile }) } } },
      async ({ webCaller, ip, body: { language } }) => {
        await changeOwnLanguage(database, webCaller, language)
        return { data: await profileOf(webCaller, ip) }
      },
    )

    app.post(
      '/me/email',
      { schema: { body: OwnEmailChange, response: { 200: Type.Object({ data: OwnEmail }) } } },
      async ({ webCaller, body: { email: to, password, code }, log }) => {
        const { user_id, user } = webCaller
        await checkPassword(database.directory, user_id, password)
        const asked = { user_id, from: user.email, to }
        if (mailer && code === undefined) {
          await sendCode(mailer, asked, webCaller.language)
          return { data: { email: user.email, code_sent: true } }
        }
        if (mailer && !isEmailCode(secret, asked, { code: code ?? '', now: clock() })) {
          throw invalid(msg`The code is wrong or expired.`, 'code')
        }
        const changed = await changeEmail(database, webCaller, user_id, { to, isConfirmed: mailer !== null })
        await mailEmailChanged(mailer, changed, (reason) => log.warn({ reason }, 'no mail about a changed email'))
        return { data: { email: to, code_sent: false } }
      },
    )

    async function sendCode(
      mailer: Mailer,
      asked: { user_id: string; from: string; to: string },
      language: Language | null,
    ) {
      rejectSameEmail(asked.from, asked.to)
      const { allowed, wait } = await codes.count(asked.user_id)
      if (!allowed) throw rateLimited(msg`Too many codes were sent`, wait)
      await mailer.send(codeEmail(asked.to, emailCode(secret, asked, clock()), language)).catch((error) => {
        throw error instanceof MailFailure
          ? invalid(msg`No code could be sent. ${{ reason: error.text }}`, 'email')
          : error
      })
    }

    async function profileOf(caller: WebCaller, address: string) {
      const { user, may } = caller
      const { account_id, ...own } = user
      const [row] = await database.directory<
        (Pick<Profile, 'language' | 'has_password'> & { id: string; name: string; first_start: string })[]
      >`
        select accounts.id, accounts.name, first_start, language,
          exists (select from credentials where provider = 'credential' and subject = users.id::text) as has_password
        from accounts join users on account_id = accounts.id
        where accounts.id = ${account_id} and users.id = ${user.id}`
      const { first_start, language, has_password, ...account } = row!
      const { country, workingHours } = await findAccount(database, account_id)
      const { days: work_days, from: work_from, until: work_until } = workingHours
      return {
        ...own,
        language,
        has_password,
        account: { ...account, country, work_days, work_from, work_until },
        first_start: user.role === 'Admin' ? await firstStartState(database, caller, first_start) : 'ended',
        may_delete: may.delete,
        may_export: may.export,
        address,
      }
    }
  }

async function firstStartState(database: Database, caller: WebCaller, stored: string): Promise<Profile['first_start']> {
  if (stored !== 'new') return stored as Profile['first_start']
  const [lead] = await readAsActor(
    database,
    caller,
    (tx) => tx`
    select from leads where account_id = ${caller.account_id} limit 1`,
  )
  return lead ? 'started' : 'opens'
}
