import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { callCommand, databaseUrl } from '#test/command-line.ts'
import { people } from '#test/people.ts'
import { type Connection, openAsOwner, openPool } from './connect.ts'
import { migrate } from './migrate.ts'
import { listSignIns, resetPasswords } from './service-roles.ts'
import type { Sql } from './sql.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const server: Connection = JSON.parse(process.env.TEST_SERVER!)
const maker = openAsOwner(server, { max: 1 })
after(() => maker.end())
const newName = () => `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`

/** A database that nothing has migrated yet, and `t`'s end drops with the roles that `t` made. */
async function emptyDatabase(t: TestContext, { ownedBy = server.username, roles = [] as string[] } = {}) {
  const name = newName()
  await maker.unsafe(`create database ${name} owner "${ownedBy}"`)
  const connection = { ...server, username: ownedBy, password: ownedBy === server.username ? server.password : secret }
  const owner = openAsOwner({ ...connection, database: name }, { max: 1 })
  t.after(async () => {
    await owner.end()
    await maker.unsafe(`drop database ${name} with (force)`)
    for (const role of roles) await maker.unsafe(`drop role ${role}`)
  })
  return { connection: { ...connection, database: name }, owner }
}

const secret = randomBytes(9).toString('hex')
async function role(options: string) {
  const name = newName()
  await maker.unsafe(`create role ${name} login password '${secret}' ${options}`)
  return name
}

const rejected = ({ code }: { code?: string }) => code === '42501'

test('no way of changing the role shows the service anything, or lets it change what it may not', async (t) => {
  assert.equal((await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '98100 44321' })).status, 201)
  const { schema_owner: owner } = (await app.owner`select current_user as schema_owner`)[0]!
  for (const signIn of Object.values(app.signIns)) {
    const sql = openPool(signIn, { max: 1 })
    t.after(() => sql.end())
    for (const change of ['set role none', 'reset role', 'reset all', 'set session authorization default']) {
      await sql.unsafe(change)
      const [user] = await sql`select current_user as role, session_user as session`
      assert.deepEqual({ ...user }, { role: signIn.username, session: signIn.username })
      const seen = await sql`select from leads`.catch((error) => (rejected(error) ? [] : Promise.reject(error)))
      assert.equal(seen.length, 0, change)
    }
    for (const statement of [
      `set role "${owner}"`,
      `set session authorization "${owner}"`,
      'alter table leads disable row level security',
      'drop policy visible on leads',
      'alter policy visible on leads using (true)',
      'drop table leads',
      'create table public.mine ()',
      'create function public.mine() returns int language sql return 1',
      'create or replace function acting_for_all() returns boolean language sql return true',
      'select from pg_authid',
      'select from service_roles',
      'create role mine',
      `alter role "${signIn.username}" bypassrls`,
      'copy leads to program $$true$$',
    ]) {
      await assert.rejects(sql.unsafe(statement), rejected, statement)
    }
  }
  assert.equal((await app.owner`select from leads`).length, 1)
})

test('the roles own nothing, are members of nothing, and are as weak as roles can be', async () => {
  for (const { username } of Object.values(app.signIns)) {
    const [found] = await app.owner`select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
        (select count(*)::int from pg_auth_members where member = pg_roles.oid) as groups,
        (select count(*)::int from pg_shdepend where refobjid = pg_roles.oid and deptype = 'o') as owned
      from pg_roles where rolname = ${username}`
    const none = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }
    assert.deepEqual({ ...found }, { ...none, rolreplication: false, groups: 0, owned: 0 })
  }
})

test('two installations on one server have roles of their own, which reach nothing of the other', async (t) => {
  const [one, other] = [await emptyDatabase(t), await emptyDatabase(t)]
  // Several processes of each at once, as after a power cut.
  const starts = [one, other, one, other].map(async ({ connection }) => {
    const sql = openAsOwner(connection, { max: 1 })
    try {
      await migrate(sql)
      return (await listSignIns(sql, connection))!
    } finally {
      await sql.end()
    }
  })
  const [first, second, again, secondAgain] = await Promise.all(starts)
  assert.deepEqual([again, secondAgain], [first, second])
  await migrate(one.owner)
  assert.deepEqual(await listSignIns(one.owner, one.connection), first)
  const names = [first, second].flatMap((signIns) => Object.values(signIns!).map(({ username }) => username))
  assert.equal(new Set(names).size, 4)
  for (const signIn of Object.values(first!)) {
    const sql = openPool({ ...signIn, database: other.connection.database }, { max: 1 })
    t.after(() => sql.end())
    for (const table of ['leads', 'users', 'api_keys', 'migrations']) {
      await assert.rejects(sql.unsafe(`select from ${table}`), rejected, table)
    }
  }
})

test('roles that are given get exactly what the roles before them had', async (t) => {
  const given = { app: await role('nosuperuser'), directory: await role('nosuperuser') }
  const { connection, owner } = await emptyDatabase(t, { roles: Object.values(given) })
  await migrate(owner)
  const own = (await listSignIns(owner, connection))!
  const signIn = (username: string) => ({ ...connection, username, password: secret })
  await migrate(owner, { app: signIn(given.app), directory: signIn(given.directory) })
  assert.equal(await listSignIns(owner, connection), null)
  for (const kind of ['app', 'directory'] as const) {
    const before = await accessOf(owner, own[kind].username)
    assert.ok(before.length > 5)
    assert.deepEqual(await accessOf(owner, given[kind]), before)
  }
})

/** What a role may do in a database: grants on tables, columns and the schema, and policies. */
async function accessOf(sql: Sql, name: string): Promise<string[]> {
  const rows = await sql`
    select table_name || ' ' || privilege_type as what from information_schema.table_privileges where grantee = ${name}
    union all
    select table_name || '.' || column_name || ' ' || privilege_type from information_schema.column_privileges
    where grantee = ${name}
    union all select tablename || ' policy ' || policyname from pg_policies where ${name}::name = any (roles)
    union all select 'usage' where has_schema_privilege(${name}, 'public', 'usage')
    order by 1`
  return rows.map(({ what }) => what)
}

test('an owner that may make roles and is no superuser is enough', async (t) => {
  const ownedBy = await role('createrole')
  const another = await role('nosuperuser')
  const { connection, owner } = await emptyDatabase(t, { ownedBy, roles: [another, ownedBy] })
  const names: string[] = []
  t.after(async () => {
    for (const name of names) await maker.unsafe(`drop role ${name}`)
  })
  const signIn = async () => {
    const signIns = Object.values((await listSignIns(owner, connection))!)
    for (const one of signIns) {
      const sql = openPool(one, { max: 1 })
      assert.ok((await sql`select from migrations`).length > 0)
      await sql.end()
    }
    return signIns.map(({ username }) => username)
  }
  await migrate(owner)
  names.push(...(await signIn()))
  for (const name of names) await maker.unsafe(`alter role ${name} nologin password 'changed'`)
  await resetPasswords(owner)
  assert.deepEqual(await signIn(), names)
  await owner`update service_roles set password = null`
  await migrate(owner)
  assert.deepEqual(await signIn(), names)
  await owner`update service_roles set name = ${another} where kind = 'app'`
  // Before PostgreSQL 16, CREATEROLE is for the roles of others too.
  const [{ version }] = (await owner`select current_setting('server_version_num')::int as version`) as unknown as [
    { version: number },
  ]
  if (version >= 160_000) await assert.rejects(resetPasswords(owner), /may not set the password .* WITH ADMIN OPTION/)
})

test('an owner that may not create roles gets instructions, and works with given roles', async (t) => {
  const [ownedBy, forApp, forDirectory] = [await role('nocreaterole'), await role(''), await role('')]
  const { connection } = await emptyDatabase(t, { ownedBy, roles: [ownedBy, forApp, forDirectory] })
  const env: Record<string, string> = { DATABASE_URL: databaseUrl(connection) }
  const rejection = await callCommand(['migrate'], env)
  assert.equal(rejection.status, 1)
  assert.match(rejection.err, /^The user in DATABASE_URL may not create roles: .*DATABASE_APP_URL.*\n$/)
  const url = (username: string) => databaseUrl({ ...connection, username, password: secret })
  Object.assign(env, { DATABASE_APP_URL: url(forApp), DATABASE_DIRECTORY_URL: url(forDirectory) })
  const made = await callCommand(['setup', '--account', 'A', '--email', 'a@x.example', '--name', 'A'], env)
  assert.deepEqual([made.status, made.err], [0, ''])
  // Without the owner, everything but migrations works.
  const { DATABASE_URL: _, ...withoutOwner } = env
  assert.match((await callCommand(['user', 'list'], withoutOwner)).out, /a@x\.example/)
  assert.match((await callCommand(['migrate'], withoutOwner)).err, /^Set DATABASE_URL to the owner/)
  // With the owner alone it does not know the roles' passwords.
  assert.match((await callCommand(['user', 'list'], { DATABASE_URL: env.DATABASE_URL! })).err, /set DATABASE_APP_URL/)
  for (const [name, value, sentence] of [
    ['DATABASE_APP_URL', databaseUrl({ ...server, database: connection.database }), /superuser/],
    ['DATABASE_DIRECTORY_URL', env.DATABASE_URL!, /owns the tables/],
    ['DATABASE_APP_URL', '', /go together/],
    ['DATABASE_APP_URL', env.DATABASE_DIRECTORY_URL!, /different roles/],
  ] as const) {
    const { status, err } = await callCommand(['user', 'list'], { ...env, [name]: value })
    assert.equal(status, 1)
    assert.match(err, sentence)
    assert.match(err, new RegExp(`^[^\\n]*${name}[^\\n]*\\n$`))
  }
})
