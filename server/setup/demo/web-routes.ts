import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { Samples } from './contract.ts'
import { addSamples, countSamples, removeSamples } from './samples.ts'

/** Sample leads, which Admins add and remove. */
export const sampleRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = { schema: { response: { 200: Type.Object({ data: Samples }) } } }

    app.get('/samples', answer, async ({ webCaller }) => ({
      data: await readAsActor(database, webCaller, (tx) => countSamples(tx, webCaller.account_id)),
    }))

    app.post('/samples', answer, async ({ webCaller }) => ({ data: await addSamples(database, webCaller, clock()) }))

    app.delete(
      '/samples',
      {
        schema: {
          response: { 200: Type.Object({ data: Type.Object({ removed: Type.Integer(), kept: Type.Integer() }) }) },
        },
      },
      async ({ webCaller }) => ({ data: await removeSamples(database, webCaller) }),
    )
  }
