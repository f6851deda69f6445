import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findAccount } from '../../access/account/users.ts'
import { changeAsActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import { addLine, removeLine } from './change-lines.ts'
import {
  AddedPhoneLine,
  NamedPhoneLine,
  NewOwnPhoneLine,
  NewPhoneLine,
  OwnPhoneLine,
  PhoneLines,
  RemovedPhoneLine,
} from './contract.ts'
import { listUnknownLines, listUserLines } from './store.ts'

const countedDays = 30

/** Admins give lines to users, and connect those that are unknown. */
export const phoneLineAdminRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/phone-lines',
      { schema: { response: { 200: Type.Object({ data: PhoneLines }) } } },
      async ({ webCaller }) => {
        const { account_id } = webCaller
        const since = new Date(clock().getTime() - countedDays * 86_400_000)
        return readAsActor(database, webCaller, async (tx) => {
          const unknown = await listUnknownLines(tx, account_id, since)
          const shown = unknown.map((line) => ({ ...line, seen_at: instantText(line.seen_at) }))
          return { data: { users: await listUserLines(tx, account_id), unknown: shown } }
        })
      },
    )

    app.post(
      '/phone-lines',
      { schema: { body: NewPhoneLine, response: { 201: Type.Object({ data: AddedPhoneLine }) } } },
      async ({ webCaller, body }, reply) => {
        const account = await findAccount(database, webCaller.account_id)
        const added = await changeAsActor(database, webCaller, (tx) => addLine(tx, webCaller, account, body, clock()))
        return reply.code(201).send({ data: added })
      },
    )

    app.delete(
      '/phone-lines',
      { schema: { querystring: NamedPhoneLine, response: { 200: Type.Object({ data: RemovedPhoneLine }) } } },
      async ({ webCaller, query: { line } }) => {
        await changeAsActor(database, webCaller, (tx) => removeLine(tx, webCaller, line))
        return { data: { line } }
      },
    )
  }

/** Users manage their own lines. Who else has a line needs an actor that sees the whole account. */
export const ownPhoneLineRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/profile/phone-lines',
      { schema: { response: { 200: Type.Object({ data: Type.Array(OwnPhoneLine) }) } } },
      async ({ webCaller }) => {
        const { account_id, user_id } = webCaller
        return { data: await readAsActor(database, webCaller, (tx) => listUserLines(tx, account_id, user_id)) }
      },
    )

    app.post(
      '/profile/phone-lines',
      { schema: { body: NewOwnPhoneLine, response: { 201: Type.Object({ data: AddedPhoneLine }) } } },
      async ({ webCaller, body: { line } }, reply) => {
        const { user_id } = webCaller
        const account = await findAccount(database, webCaller.account_id)
        const added = await changeAsActor(database, forWholeAccount(webCaller), (tx) =>
          addLine(tx, webCaller, account, { line, user_id }, clock()),
        )
        return reply.code(201).send({ data: added })
      },
    )

    app.delete(
      '/profile/phone-lines',
      { schema: { querystring: NamedPhoneLine, response: { 200: Type.Object({ data: RemovedPhoneLine }) } } },
      async ({ webCaller, query: { line } }) => {
        await changeAsActor(database, forWholeAccount(webCaller), (tx) =>
          removeLine(tx, webCaller, line, webCaller.user_id),
        )
        return { data: { line } }
      },
    )
  }
