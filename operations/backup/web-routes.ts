import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../server/platform/database/connect.ts'
import { instantOrNull } from '../../server/platform/http/instants.ts'
import { DailyBackups } from './contract.ts'
import { backupState, backupStatus } from './daily.ts'

interface Settings {
  backupDir: string | null
  backupKeep: number
}

/** For Admins: whether the daily backups work. Names no file and no size: these belong to the operator. */
export const backupRoutes =
  (database: Database, { backupDir, backupKeep }: Settings, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/backups', { schema: { response: { 200: Type.Object({ data: DailyBackups }) } } }, async () => {
      const status = await backupStatus(database.directory)
      return {
        data: {
          state: backupDir === null ? ('off' as const) : backupState(clock(), status),
          last_success_at: instantOrNull(status.last_success?.started_at ?? null),
          keep: backupKeep,
        },
      }
    })
  }
