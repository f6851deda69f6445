import type { FastifyPluginAsync } from 'fastify'
import { backupRoutes } from './backup/web-routes.ts'
import type { Config } from './config.ts'
import { continuousBackupRoutes } from './continuous-backup/web-routes.ts'
import type { Database } from './database/connect.ts'

/** Registers what Admins see of the operation of the service. */
export const operationRoutes =
  (database: Database, config: Config, clock: () => Date = () => new Date()): FastifyPluginAsync =>
  async (app) => {
    await app.register(backupRoutes(database, config, clock))
    await app.register(continuousBackupRoutes(database, config, clock))
  }
