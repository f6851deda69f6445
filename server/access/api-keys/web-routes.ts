import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { Type } from 'typebox'
import { changeAsActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { checkUnchanged } from '../../platform/http/check-unchanged.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantOrNull, instantText } from '../../platform/http/instants.ts'
import { InvalidEntry, parseIpList } from '../../platform/http/ip-list.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { CreatedKey, KeyChange, KeyToCreate, RegeneratedKey, RevokedKey, ShownKey } from './contract.ts'
import {
  changeKey,
  createKey,
  type ListedKey,
  listKeys,
  lockKey,
  lockKeyUser,
  regenerateKey,
  revokeKey,
} from './store.ts'

/** Admins manage API keys. A key's value is answered only when it is created. */
export const keyRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api-keys',
      { schema: { response: { 200: Type.Object({ data: Type.Array(ShownKey) }) } } },
      async ({ webCaller }) => {
        const keys = await readAsActor(database, webCaller, (tx) => listKeys(tx, webCaller.account_id))
        return { data: keys.map(shown) }
      },
    )

    app.post(
      '/api-keys',
      { schema: { body: KeyToCreate, response: { 201: Type.Object({ data: CreatedKey }) } } },
      async ({ webCaller, body }, reply) => {
        const ip_whitelist = checkedWhitelist(body.ip_whitelist ?? [])
        const { id, secret } = await changeAsActor(database, webCaller, async (tx) => {
          if (!(await lockKeyUser(tx, webCaller.account_id, body.user_id)))
            throw invalid(msg`${{ field: 'user_id' }} must be an active user of the account.`, 'user_id')
          return createKey(tx, webCaller, { ...body, ip_whitelist })
        })
        return reply.code(201).send({ data: { id, key: secret } })
      },
    )

    app.patch(
      '/api-keys/:id',
      { schema: { params: IdParameter, body: KeyChange, response: { 200: Type.Object({ data: ShownKey }) } } },
      async ({ webCaller, params: { id }, body: { was, ...change } }) => {
        checkedWhitelist(change.ip_whitelist ?? [])
        const key = await changeAsActor(database, webCaller, async (tx) => {
          if (was) {
            await lockKey(tx, webCaller.account_id, id)
            checkUnchanged(was, await keyWith(tx, webCaller.account_id, id))
          }
          if (!(await changeKey(tx, webCaller, id, change))) throw noActiveKey()
          return keyWith(tx, webCaller.account_id, id)
        })
        return { data: shown(key) }
      },
    )

    app.post(
      '/api-keys/:id/regeneration',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: RegeneratedKey }) } } },
      async ({ webCaller, params: { id } }) =>
        changeAsActor(database, webCaller, async (tx) => {
          const stopped = await keyWith(tx, webCaller.account_id, id)
          const key = await regenerateKey(tx, webCaller, id)
          if (key === null) throw noActiveKey()
          return { data: { id, key, stopped: stoppedOf(stopped) } }
        }),
    )

    app.post(
      '/api-keys/:id/revocation',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: RevokedKey }) } } },
      async ({ webCaller, params: { id } }) =>
        changeAsActor(database, webCaller, async (tx) => {
          const stopped = await keyWith(tx, webCaller.account_id, id)
          if (!(await revokeKey(tx, webCaller, id))) throw noActiveKey()
          return { data: { id, revoked: true, stopped: stoppedOf(stopped) } }
        }),
    )
  }

async function keyWith(tx: TransactionSql, accountId: string, id: string): Promise<ListedKey> {
  const [key] = await listKeys(tx, accountId, id)
  if (!key) throw noActiveKey()
  return key
}

const noActiveKey = () => notFound(msg`There is no such API key, or it was revoked.`)

function checkedWhitelist(entries: string[]): string[] {
  try {
    parseIpList(entries)
  } catch (error) {
    if (!(error instanceof InvalidEntry)) throw error
    const { entry } = error
    throw invalid(
      msg`"${{ entry }}" is not an IP address or a CIDR range such as 203.0.113.7 or 2001:db8::/32.`,
      'ip_whitelist',
    )
  }
  return entries
}

const useOf = ({ last_use }: ListedKey) => last_use && { ...last_use, at: instantText(last_use.at) }

const shown = (key: ListedKey) => ({
  ...key,
  created_at: instantText(key.created_at),
  revoked_at: instantOrNull(key.revoked_at),
  last_use: useOf(key),
})

const stoppedOf = (key: ListedKey) => ({ name: key.name, last_four: key.last_four, last_use: useOf(key) })
