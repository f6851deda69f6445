import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import type { FastifyBaseLogger } from 'fastify'
import { Type } from 'typebox'
import { type Account, findAccount } from '../../access/account/users.ts'
import { requirePermission, type WebCaller } from '../../access/sign-in/require-session.ts'
import { asActor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText } from '../../platform/http/instants.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { BulkChange, LeadSelection, NewBulkChange } from './contract.ts'
import { finishBulkChange, runBulkChanges } from './run.ts'
import { countSelection, readChange, startBulkChange } from './start.ts'
import { listBulkChanges, lockBulkChange, type StoredBulkChange, undoWithin } from './store.ts'

const One = Type.Object({ data: BulkChange })

/** Changes of many leads: users see their own, Admins all. */
export const bulkChangeRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    /** The service continues a failed one. */
    const run = ({ account_id }: WebCaller, log: FastifyBaseLogger) =>
      void runBulkChanges(database, account_id, clock).catch((err) => log.error({ err }, 'bulk changes'))

    async function answer(caller: WebCaller, id: string) {
      const account = await findAccount(database, caller.account_id)
      const [row] = await readAsActor(
        database,
        caller,
        (tx) =>
          tx<StoredBulkChange[]>`select * from bulk_changes where account_id = ${caller.account_id} and id = ${id}`,
      )
      if (!row) throw noBulkChange()
      return { data: shown(account, row, clock()) }
    }

    app.get(
      '/bulk-changes',
      { schema: { response: { 200: Type.Object({ data: Type.Array(BulkChange) }) } } },
      async ({ webCaller }) => {
        const account = await findAccount(database, webCaller.account_id)
        const now = clock()
        const rows = await readAsActor(database, webCaller, (tx) => listBulkChanges(tx, webCaller.account_id, now))
        return { data: rows.map((row) => shown(account, row, now)) }
      },
    )

    app.get(
      '/bulk-changes/:id',
      { schema: { params: IdParameter, response: { 200: One } } },
      async ({ webCaller, params: { id } }) => answer(webCaller, id),
    )

    app.post('/bulk-changes/count', { schema: { body: LeadSelection } }, async ({ webCaller, body }) => ({
      data: { total: await countSelection(database, webCaller, body, clock()) },
    }))

    app.post(
      '/bulk-changes',
      { schema: { body: NewBulkChange, response: { 201: One } } },
      async ({ webCaller, body, log }, reply) => {
        const { change: given, ...selection } = body
        if (given.delete !== undefined) requirePermission(webCaller, 'delete')
        const change = await readChange(database, webCaller, given)
        const id = await startBulkChange(database, webCaller, {
          selection,
          change,
          expected: given.delete,
          role: webCaller.user.role,
          now: clock(),
        })
        run(webCaller, log)
        return reply.code(201).send(await answer(webCaller, id))
      },
    )

    app.post(
      '/bulk-changes/:id/cancellation',
      { schema: { params: IdParameter, response: { 200: One } } },
      async ({ webCaller, params: { id } }) => {
        await asActor(database, webCaller, async (tx) => {
          const job = await lockBulkChange(tx, webCaller.account_id, id)
          if (!job) throw noBulkChange()
          if (job.state !== 'running') throw invalid(msg`This bulk change is not running any more.`)
          await finishBulkChange(tx, webCaller, job, { state: 'cancelled', error: null, now: clock() })
        })
        return answer(webCaller, id)
      },
    )

    app.post(
      '/bulk-changes/:id/undo',
      { schema: { params: IdParameter, response: { 200: One } } },
      async ({ webCaller, params: { id }, log }) => {
        await asActor(database, webCaller, async (tx) => {
          const job = await lockBulkChange(tx, webCaller.account_id, id)
          if (!job) throw noBulkChange()
          if (!canUndo(job, clock()))
            throw invalid(
              msg`This bulk change cannot be undone: it is running, was undone, deleted leads, or ended more than a day ago.`,
            )
          await tx`update bulk_changes set state = 'undoing', position = 0, undone_by = ${webCaller.user_id},
              role = ${webCaller.user.role}
            where account_id = ${webCaller.account_id} and id = ${id}`
        })
        run(webCaller, log)
        return answer(webCaller, id)
      },
    )
  }

const noBulkChange = () => notFound(msg`No bulk change with this id.`)

function canUndo({ state, change, changed, finished_at }: StoredBulkChange, now: Date): boolean {
  const hasEnded = state === 'done' || state === 'cancelled' || state === 'stopped'
  return hasEnded && !change.delete && changed > 0 && now.getTime() - finished_at!.getTime() < undoWithin
}

function shown({ users }: Account, row: StoredBulkChange, now: Date): BulkChange {
  const nameOf = (id: string) => users.find((user) => user.id === id)?.name ?? ''
  const { user_id, role: _, undone_by: __, change, started_at, finished_at, ...others } = row
  const { assign_to, ...values } = change
  const named = assign_to ? assign_to.map(({ user_id: id, weight }) => ({ name: nameOf(id), weight })) : assign_to
  return {
    ...others,
    user: { id: user_id, name: nameOf(user_id) },
    change: { ...values, ...(named === undefined ? {} : { assign_to: named }) },
    started_at: instantText(started_at),
    finished_at: finished_at && instantText(finished_at),
    can_undo: canUndo(row, now),
  }
}
