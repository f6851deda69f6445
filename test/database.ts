import { randomBytes } from 'node:crypto'
import { passwordCost } from '../server/access/sign-in/password.ts'
import {
  type Connection,
  connect,
  type Database,
  openAsOwner,
  type SignIns,
} from '../server/platform/database/connect.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { listSignIns } from '../server/platform/database/service-roles.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import { dropOnCluster, isCluster, makeOnCluster } from './cluster.ts'

export const usualPasswordCost = { ...passwordCost }
// Most tests sign users in, and hashing at its usual cost would be a tenth of their work.
Object.assign(passwordCost, { memory: 8, passes: 1 })

/** A clone of the migrated template, with a connection of the service (`database`) and one of the owner (`owner`). */
export async function testDatabase() {
  const server: Connection = JSON.parse(process.env.TEST_SERVER ?? 'null')
  if (!server)
    throw new Error('Run the tests with npm test, or one file with npm test server/crm/leads/create-lead.test.ts')
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`
  // While the other tests keep a slow machine busy, connecting takes longer than the service would wait.
  const connect_timeout = 30
  const maker = openAsOwner(server, { max: 1, connect_timeout })
  // Citus clones no database.
  if (isCluster) await makeOnCluster(server, name)
  else await maker.unsafe(`create database ${name} template ${process.env.TEST_TEMPLATE} strategy file_copy`)
  const connection = { ...server, database: name }
  const owner = openAsOwner(connection, { max: 4, connect_timeout })
  const roles: SignIns = isCluster ? await migrated(owner, connection) : JSON.parse(process.env.TEST_SIGN_INS!)
  const here = { database: name, isCluster }
  const signIns = { app: { ...roles.app, ...here }, directory: { ...roles.directory, ...here } }
  const database: Database = connect(signIns)
  return {
    /** The owner's. */
    connection,
    /** The service's. */
    signIns,
    /** The names of the service's roles. */
    roles: { app: signIns.app.username, directory: signIns.directory.username },
    owner,
    database,
    directory: database.directory,
    close: async () => {
      await database.close()
      await owner.end()
      if (isCluster) await dropOnCluster(server, name)
      else await maker.unsafe(`drop database ${name} with (force)`)
      await maker.end()
    },
  }
}

async function migrated(owner: Sql, connection: Connection): Promise<SignIns> {
  await migrate(owner)
  return (await listSignIns(owner, connection))!
}
