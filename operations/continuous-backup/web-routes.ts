import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../server/platform/database/connect.ts'
import { instantOrNull } from '../../server/platform/http/instants.ts'
import { ContinuousBackup } from './contract.ts'
import { readState, stateOfDrill, stateOfSaving } from './state.ts'

interface Settings {
  hasContinuousBackup: boolean
}

/** For Admins: whether the continuous backup works. Names no place and no reason: these belong to the operator. */
export const continuousBackupRoutes =
  (database: Database, { hasContinuousBackup }: Settings, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    const schema = { response: { 200: Type.Object({ data: ContinuousBackup }) } }
    app.get('/continuous-backup', { schema }, async () => {
      const state = await readState(database.directory)
      return {
        data: {
          state: hasContinuousBackup ? stateOfSaving(clock(), state) : ('off' as const),
          drill: {
            state: stateOfDrill(state),
            at: instantOrNull(state?.drill_at ?? null),
            restored_to: instantOrNull(state?.drill_restored_to ?? null),
          },
        },
      }
    })
  }
