import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { type Account, findAccount, type User } from '../../access/account/users.ts'
import { findJoined } from '../../access/sign-in/credentials.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { maySee } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { Deleted, IdParameter } from '../../platform/http/contract.ts'
import { istDay } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { availabilityAt, lastDay } from './availability.ts'
import { AbsenceParameters, AvailabilityChange, NewAbsence, UserAvailability } from './contract.ts'
import { addAbsence, changeHours, removeAbsence } from './store.ts'

/** Working hours and absences: of the caller, and of the users whose leads they see. */
export const availabilityRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/availability',
      { schema: { response: { 200: Type.Object({ data: Type.Array(UserAvailability) }) } } },
      async ({ webCaller }) => {
        const account = await findAccount(database, webCaller.account_id)
        const users = account.users.filter(({ id, active }) => active && maySet(webCaller, id))
        const joined = await findJoined(
          database.directory,
          users.map(({ id }) => id),
        )
        return { data: users.map((user) => answer(account, user, { hasJoined: joined.has(user.id), now: clock() })) }
      },
    )

    app.patch(
      '/availability/:id',
      {
        schema: {
          params: IdParameter,
          body: AvailabilityChange,
          response: { 200: Type.Object({ data: AvailabilityChange }) },
        },
      },
      async ({ webCaller, params: { id }, body }) => ({
        data: await changeHours(database, asked(webCaller, id), body),
      }),
    )

    app.post(
      '/availability/:id/absences',
      {
        schema: {
          params: IdParameter,
          body: NewAbsence,
          response: { 201: Type.Object({ data: Type.Object({ id: Type.String() }) }) },
        },
      },
      async ({ webCaller, params: { id }, body }, reply) =>
        reply.code(201).send({ data: { id: await addAbsence(database, asked(webCaller, id), body) } }),
    )

    app.delete(
      '/availability/:id/absences/:absence',
      { schema: { params: AbsenceParameters, response: { 200: Deleted } } },
      async ({ webCaller, params: { id, absence } }) => {
        await removeAbsence(database, asked(webCaller, id), absence)
        return { data: { id: absence, deleted: true } }
      },
    )

    /** A user that the caller does not see is unknown, as one of another account is. */
    function asked(caller: WebCaller, userId: string) {
      if (!maySet(caller, userId)) throw notFound(msg`There is no such user.`)
      return { actor: caller, userId, now: clock() }
    }
  }

const maySet = (caller: WebCaller, userId: string) => userId === caller.user_id || maySee(caller, userId)

function answer(account: Account, user: User, { hasJoined, now }: { hasJoined: boolean; now: Date }): UserAvailability {
  const availability = availabilityAt(account, user, now)
  const hours = user.workingHours
  return {
    user_id: user.id,
    state: hasJoined ? availability.state : 'invited',
    away_until: availability.state === 'away' ? lastDay(availability.until) : null,
    working_hours: hours && { work_days: hours.days, work_from: hours.from, work_until: hours.until },
    absences: user.absences
      .filter(({ until }) => until > now)
      .map(({ id, from, until }) => ({ id, from: istDay(from), until: lastDay(until), is_present: from <= now })),
  }
}
