import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interrupted, type UnfinishedRestore } from '../../server/platform/database/unfinished-restore.ts'

const recordIn = (dataDir: string) => join(dataDir, 'unfinished-restore')

export const hasDatabase = (dataDir: string) => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

/** Records a restore into a folder without a database: until one has succeeded, the service must not begin an empty one there. */
export function recordRestore(dataDir: string, file: string): void {
  if (!existsSync(dataDir) || hasDatabase(dataDir)) return
  writeFileSync(recordIn(dataDir), JSON.stringify({ file, started_at: new Date() }))
}

export const forgetRestore = (dataDir: string) => rmSync(recordIn(dataDir), { force: true })

/** Throws if the last restore into this folder did not succeed. */
export function checkRestored(dataDir: string): void {
  if (!existsSync(recordIn(dataDir))) return
  const { file, started_at } = JSON.parse(readFileSync(recordIn(dataDir), 'utf8'))
  const restore: UnfinishedRestore = { file, started_at: new Date(started_at) }
  throw new Error(
    `${interrupted(restore)}, and there is no database in ${dataDir}: restore it again. To start with an empty database instead, run lead-engine setup.`,
  )
}
