/** Prints the address of a PostgreSQL of this machine in which databases may be made; nothing where there is none. */
import { userInfo } from 'node:os'
import { openAsOwner } from '../server/database/connect.ts'
import { readDatabaseUrl } from '../server/database/database-url.ts'

const names = [userInfo().username, 'postgres']
const candidates = [
  process.env.DATABASE_URL,
  ...names.map((name) => `postgres://${name}@127.0.0.1:5432/postgres`),
  ...names.map((name) => `postgres://${name}@localhost/postgres?host=/var/run/postgresql`),
].filter((url) => url !== undefined)

for (const url of candidates) {
  const sql = openAsOwner(readDatabaseUrl(url, 'DATABASE_URL'), { max: 1 })
  try {
    const [role] =
      await sql`select rolcreatedb and rolcreaterole or rolsuper as may from pg_roles where rolname = current_user`
    if (!role?.may) continue
    console.log(url)
    break
  } catch {
    // Not this one.
  } finally {
    await sql.end({ timeout: 1 })
  }
}
