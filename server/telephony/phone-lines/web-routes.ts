import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findAccount } from '../../access/account/users.ts'
import { changeAsActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import { addLine, removeLine } from './change-lines.ts'
import {
  AddedPhoneLine,
  LineCredits,
  NamedPhoneLine,
  NewOwnPhoneLine,
  NewPhoneLine,
  OwnPhoneLine,
  PhoneLineRemoval,
  PhoneLines,
  RemovedPhoneLine,
} from './contract.ts'
import { readCredits } from './read-credits.ts'
import { listPendingLines, listUnknownLines, listUserLines } from './store.ts'

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
          const pending = (await listPendingLines(tx, account_id)).map((line) => {
            return { ...line, added_at: instantText(line.added_at) }
          })
          return { data: { users: await listUserLines(tx, account_id), pending, unknown: shown } }
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
      { schema: { querystring: PhoneLineRemoval, response: { 200: Type.Object({ data: RemovedPhoneLine }) } } },
      async ({ webCaller, query: { line, user_id, take_back } }) => {
        const account = await findAccount(database, webCaller.account_id)
        const removal = { line, user_id, take_back: take_back === 'true', now: clock() }
        const taken = await changeAsActor(database, webCaller, (tx) => removeLine(tx, webCaller, account, removal))
        return { data: { line, ...taken } }
      },
    )

    app.get(
      '/phone-lines/credits',
      { schema: { querystring: NamedPhoneLine, response: { 200: Type.Object({ data: LineCredits }) } } },
      async ({ webCaller, query: { line } }) => {
        const account = await findAccount(database, webCaller.account_id)
        return { data: await readAsActor(database, webCaller, (tx) => readCredits(tx, account, line)) }
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
        return readAsActor(database, webCaller, async (tx) => {
          const lines = await listUserLines(tx, account_id, user_id)
          const pending = await listPendingLines(tx, account_id, user_id)
          const shown = (pending: boolean) => (one: { line: string; written: string }) => {
            return { line: one.line, written: one.written, pending }
          }
          return { data: [...lines.map(shown(false)), ...pending.map(shown(true))] }
        })
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
        const account = await findAccount(database, webCaller.account_id)
        const removal = { line, user_id: webCaller.user_id, now: clock() }
        const taken = await changeAsActor(database, forWholeAccount(webCaller), (tx) =>
          removeLine(tx, webCaller, account, removal),
        )
        return { data: { line, ...taken } }
      },
    )
  }
