import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { unseenLead } from '../../crm/leads/unseen-lead.ts'
import { forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import { claimLead } from './claim-lead.ts'
import { Claimed, Offer } from './contract.ts'
import { readOffers } from './store.ts'

/** Leads that are offered to the caller, who does not see them before they claim one. */
export const offerRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/offers',
      { schema: { response: { 200: Type.Object({ data: Type.Array(Offer) }) } } },
      async ({ webCaller }) => {
        const asked = { accountId: webCaller.account_id, userId: webCaller.user_id, day: istDay(clock()) }
        const rows = await readAsActor(database, forWholeAccount(webCaller), (tx) => readOffers(tx, asked))
        return {
          data: rows.map(({ lead_id, offered_to, ...row }) => ({
            lead_id,
            ...unseenLead(row),
            offered_at: instantText(row.offered_at),
            due_at: instantText(row.due_at),
            others: offered_to.length - 1,
          })),
        }
      },
    )

    app.post(
      '/offers/:id/claim',
      { schema: { params: IdParameter, response: { 200: Type.Object({ data: Claimed }) } } },
      async ({ webCaller, params: { id } }) => {
        await claimLead(database, webCaller, id, clock())
        return { data: { lead_id: id } }
      },
    )
  }
