import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { changeAsActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { NewView, type View, ViewChange } from './contract.ts'
import { viewCounter } from './count-views.ts'
import { addView, changeView, listViews, removeView, type ViewEditor } from './store.ts'

/** Users manage their own views, Admins also those of the account. A change answers all views of the user as they are then. */
export const viewRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    const countViews = viewCounter(database, clock)
    const viewsOf = (caller: WebCaller) => readAsActor(database, caller, (tx) => listViews(tx, editorOf(caller)))

    app.get('/views', async ({ webCaller }): Promise<{ data: View[] }> => ({ data: await viewsOf(webCaller) }))

    app.get('/views/counts', async ({ webCaller }) => ({
      data: await countViews(webCaller, await viewsOf(webCaller)),
    }))

    const change = <T>(caller: WebCaller, work: (tx: TransactionSql, editor: ViewEditor) => Promise<T>) =>
      changeAsActor(database, forWholeAccount(caller), async (tx) => {
        const editor = editorOf(caller)
        const done = await work(tx, editor)
        return { done, data: await listViews(tx, editor) }
      })

    app.post('/views', { schema: { body: NewView } }, async ({ webCaller, body }, reply) => {
      const { done: id, data } = await change(webCaller, (tx, editor) => addView(tx, editor, body))
      return reply.code(201).send({ id, data })
    })

    app.patch(
      '/views/:id',
      { schema: { params: IdParameter, body: ViewChange } },
      async ({ webCaller, params: { id }, body }) => {
        const { data } = await change(webCaller, (tx, editor) => changeView(tx, editor, id, body))
        return { data }
      },
    )

    app.delete('/views/:id', { schema: { params: IdParameter } }, async ({ webCaller, params: { id } }) => {
      const { data } = await change(webCaller, (tx, editor) => removeView(tx, editor, id))
      return { data }
    })
  }

function editorOf(caller: WebCaller): ViewEditor {
  const { role, team } = caller.user
  return { ...caller, role, team }
}
