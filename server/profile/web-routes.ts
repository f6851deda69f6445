import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/connect.ts'
import type { SignedInUser } from '../sign-in/sign-in.ts'
import { changeOwnName } from './change-name.ts'
import { Profile, ProfileChange } from './contract.ts'

export const profileRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/me', { schema: { response: { 200: Type.Object({ data: Profile }) } } }, async ({ webCaller, ip }) => {
      return { data: await profileOf(webCaller.user, ip) }
    })

    app.patch(
      '/me',
      { schema: { body: ProfileChange, response: { 200: Type.Object({ data: Profile }) } } },
      async ({ webCaller, ip, body: { name } }) => {
        await changeOwnName(database, webCaller, name)
        return { data: await profileOf({ ...webCaller.user, name }, ip) }
      },
    )

    async function profileOf(user: SignedInUser, address: string) {
      const { account_id, ...own } = user
      const [account] = await database.directory<{ id: string; name: string }[]>`
        select id, name from accounts where id = ${account_id}`
      return { ...own, account: account!, address }
    }
  }
