import { randomUUID } from 'node:crypto'
import type { Role } from '../server/access/account/contract.ts'
import { createAccount, createUser } from '../server/access/account/store.ts'
import type { Permission } from '../server/access/api-keys/contract.ts'
import { createKey } from '../server/access/api-keys/store.ts'
import { setPassword } from '../server/access/sign-in/credentials.ts'
import { generatePassword } from '../server/access/sign-in/password.ts'
import { type Actor, accountActor, asActor, changeAsActor } from '../server/platform/database/actor.ts'
import type { Database } from '../server/platform/database/connect.ts'
import type { Sql } from '../server/platform/database/sql.ts'

/** A user with an API key. */
export interface Player {
  id: string
  email: string
  actor: Actor
  key: { id: string; secret: string }
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says
  body: any
}

/**
 * The sample users. Asha is the Admin of Acme; Meena manages the north team, in which Bela is an agent; Chand is an agent of
 * the south; Zoya is the Admin of another account and may see none of it.
 */
export async function people({ database, url }: { database: Database; url: string }) {
  const acme = await account(database, 'Acme')
  const other = await account(database, 'Other')
  const player = (actor: Actor, name: string, role: Role, team: string | null, permissions?: Permission[]) =>
    addPlayer(database, url, actor, name, role, team, permissions)
  return {
    acme,
    other,
    asha: await player(acme, 'Asha', 'Admin', null),
    meena: await player(acme, 'Meena', 'Manager', 'north'),
    bela: await player(acme, 'Bela', 'Agent', 'north'),
    chand: await player(acme, 'Chand', 'Agent', 'south'),
    zoya: await player(other, 'Zoya', 'Admin', null),
  }
}

export async function account(database: Database, name: string): Promise<Actor> {
  const actor = accountActor(randomUUID())
  await asActor(database, actor, (tx) => createAccount(tx, actor, name))
  return actor
}

export async function addPlayer(
  database: Database,
  url: string,
  actor: Actor,
  name: string,
  role: Role,
  team: string | null,
  permissions: Permission[] = ['read', 'write', 'delete'],
  ip_whitelist: string[] = [],
): Promise<Player> {
  const email = `${name.toLowerCase()}@${actor.account_id.slice(0, 8)}.example.com`
  return changeAsActor(database, actor, async (tx) => {
    const id = await createUser(tx, actor, { email, name, role, team })
    const key = await createKey(tx, actor, { user_id: id, name: `${name}'s key`, permissions, ip_whitelist })
    return {
      id,
      email,
      actor: { ...actor, user_id: id, sees: role === 'Admin' ? 'all' : [id] },
      key,
      send: (method, path, body, headers) => ask(url, key.secret, method, path, body, headers),
    }
  })
}

export async function ask(
  url: string,
  secret: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(secret ? { authorization: `Bearer ${secret}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
  })
  const isWorkbook = response.headers.get('content-type')?.includes('spreadsheetml')
  if (isWorkbook) return { status: response.status, headers: response.headers, body: await bytesOf(response) }
  const text = await response.text()
  const isJson = text.startsWith('{') && !response.headers.get('content-type')?.includes('ndjson')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** A user in a browser: signed in, and changes are sent with the origin of the page. */
export async function signedIn(
  place: { directory: Sql; url: string },
  person: { id: string; email: string },
): Promise<Pick<Player, 'send'>> {
  const { url } = place
  const cookie = await sessionCookie(place, person)
  return {
    send: (method, path, body, headers = {}) => ask(url, null, method, path, body, { cookie, origin: url, ...headers }),
  }
}

export async function sessionCookie(
  { directory, url }: { directory: Sql; url: string },
  person: { id: string; email: string },
): Promise<string> {
  // Loading it for the first sign-in keeps this process from connecting to the database in time, if the machine is slow.
  await import('../server/access/sign-in/better-auth.ts')
  const password = generatePassword()
  await setPassword(directory, person.id, password)
  const signIn = await fetch(`${url}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: person.email, password }),
  })
  return signIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
