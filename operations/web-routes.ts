import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../server/config.ts'
import type { Database } from '../server/platform/database/connect.ts'
import { backupRoutes } from './backup/web-routes.ts'
import { continuousBackupRoutes } from './continuous-backup/web-routes.ts'

/** Registers what Admins see of the operation of the service. */
export const operationRoutes =
  (database: Database, config: Config, clock: () => Date = () => new Date()): FastifyPluginAsync =>
  async (app) => {
    await app.register(backupRoutes(database, config, clock))
    await app.register(continuousBackupRoutes(database, config, clock))
  }
