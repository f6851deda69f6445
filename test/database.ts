import { randomBytes } from 'node:crypto'
import { type Connection, connect, type Database, openPool } from '../server/database/connect.ts'

/** A private clone of the migrated template, as the service meets it (`database`) and as its owner does (`owner`). */
export async function testDatabase() {
  const server: Connection = JSON.parse(process.env.TEST_SERVER ?? 'null')
  if (!server)
    throw new Error('Run the tests with npm test, or one file with npm test server/leads/create-lead.test.ts')
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`
  const maker = openPool(server, null, { max: 1 })
  await maker.unsafe(`create database ${name} template ${process.env.TEST_TEMPLATE}`)
  const connection = { ...server, database: name }
  const owner = openPool(connection, null, { max: 4 })
  const database: Database = connect(connection)
  return {
    connection,
    owner,
    database,
    directory: database.directory,
    close: async () => {
      await database.close()
      await owner.end()
      await maker.unsafe(`drop database ${name} with (force)`)
      await maker.end()
    },
  }
}
