import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/database/sql.ts'

/** Returns the secret with which all processes sign cookies. The first process creates it. */
export async function readSecret(directory: Sql): Promise<string> {
  const secret = await createdSecret(directory)
  if (secret !== null) return secret
  await directory`
    insert into installation_secrets (name, value) values ('sign_in', ${randomBytes(32).toString('base64url')})
    on conflict (name) do nothing`
  return (await createdSecret(directory))!
}

/** Returns the secret, or null if no service has run on this database yet. */
export async function createdSecret(directory: Sql): Promise<string | null> {
  const [secret] = await directory<{ value: string }[]>`
    select value from installation_secrets where name = 'sign_in'`
  return secret?.value ?? null
}
