import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { FirstStart, FirstStartChange } from './contract.ts'
import { changeFirstStart, readFirstStart } from './store.ts'

/** The first steps of an account, for its Admins. */
export const firstStartRoutes =
  (database: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = { response: { 200: Type.Object({ data: FirstStart }) } }

    app.get('/first-start', { schema: answer }, async ({ webCaller }) => {
      const found = await readAsActor(database, webCaller, read(webCaller))
      const isDone = Object.values(found.steps).every((state) => state !== 'open')
      if (found.ended || !isDone) return { data: found }
      return { data: await change(webCaller, { ended: true }) }
    })

    app.patch('/first-start', { schema: { ...answer, body: FirstStartChange } }, async ({ webCaller, body }) => ({
      data: await change(webCaller, body),
    }))

    const read =
      ({ account_id, user_id }: WebCaller) =>
      (tx: Parameters<typeof readFirstStart>[0]) =>
        readFirstStart(tx, account_id, user_id)

    const change = (caller: WebCaller, body: FirstStartChange) =>
      asActor(database, { ...caller, silent: true }, async (tx) => {
        await changeFirstStart(tx, caller.account_id, body)
        return read(caller)(tx)
      })
  }
