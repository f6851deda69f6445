import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '#test/app.ts'
import { isThorough } from '#test/budget.ts'
import { isCluster } from '#test/cluster.ts'
import { callCommand, databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { countAllRows } from '#test/records.ts'
import { ownersFunctions } from '../../server/platform/database/cluster/placement.ts'
import { withoutSubSelects } from '../../server/platform/database/cluster/unfinished-distribution.ts'
import { openAsOwner } from '../../server/platform/database/connect.ts'
import { migrate } from '../../server/platform/database/migrate.ts'
import { expectedSchema, readSchema } from '../../server/platform/database/schema-objects.ts'
import { roleNames } from '../../server/platform/database/service-roles.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import type { CheckResult } from './check.ts'
import { diagnose } from './diagnose.ts'
import type { Repair } from './installation.ts'
import { placedDifferences } from './structure.ts'

/** What may happen to a database. The list was written before doctor could find any of it; test/faults/damage.thorough.ts has the rest of it. */
interface Damage {
  name: string
  make(owner: Sql, database: string): Promise<unknown>
  /** The checks that find it. */
  checks: string[]
  message: RegExp
  fix: RegExp
  /** What is left after the repair, if not nothing. */
  follow?(fix: string, installation: Installation): Promise<unknown>
}

type Installation = Awaited<ReturnType<typeof installation>>

const port = String(await freePort())
const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'lead-engine-damage-'))
after(() => rmSync(BACKUP_DIR, { recursive: true }))
const skip = isCluster ? 'what a cluster does to tables differs' : false

/** Two leads and a call, with their counts. */
async function installation() {
  const store = await testDatabase()
  const { owner } = store
  await owner`insert into accounts (id, name, created_at) values (gen_random_uuid(), 'Acme', now())`
  await owner`insert into users (id, account_id, email, name, role)
    select gen_random_uuid(), id, 'asha@example.com', 'Asha', 'Admin' from accounts`
  await owner`insert into leads (account_id, id, name, phone, phone_key, company, source, status, priority, created_at, updated_at)
    select accounts.id, gen_random_uuid(), lead.name, phone, '+91' || phone, 'Sharma', 'Website', 'New', 'Low', now(), now()
    from accounts, (values ('Ravi', '9810010001'), ('Uma', '9810010002')) as lead (name, phone)`
  await owner`insert into call_logs (account_id, id, lead_id, call_type, duration_seconds, outcome, called_at, created_at)
    select account_id, gen_random_uuid(), id, 'Inbound', 5, 'Completed', created_at, created_at from leads where name = 'Ravi'`
  await owner`update leads set last_call_at = called_at, last_call_outcome = outcome, first_call_at = called_at
    from call_logs where lead_id = leads.id`
  await countAllRows(owner)
  const env = { DATABASE_URL: databaseUrl(store.connection), PORT: port, BACKUP_DIR, DATA_DIR: BACKUP_DIR }
  return {
    ...store,
    env,
    async problems(repair: Repair = 'nothing'): Promise<CheckResult[]> {
      const checks = await diagnose({ env, repair, onProgress: () => {} })
      return checks.filter(({ ok, checked }) => checked && !ok)
    },
  }
}

/** Saves and restores the data, as the advice says, with the service stopped. */
async function makeAgain(fix: string, { env, database }: Installation): Promise<string> {
  assert.match(fix, /: lead-engine backup FILE && lead-engine restore FILE --yes\./)
  await database.close()
  const file = join(BACKUP_DIR, `before-${randomUUID()}.backup`)
  let said = ''
  for (const command of [
    ['backup', file],
    ['restore', file, '--yes'],
  ]) {
    const { status, out, err } = await callCommand(command, env)
    assert.equal(status, 0, err)
    said = out
  }
  rmSync(file)
  return said
}

/** The restore sets a call without its lead aside. */
async function withoutOrphans(fix: string, installation: Installation) {
  const said = await makeAgain(fix, installation)
  assert.match(said, /call_logs: 1 row left out: its row of leads is missing \(call_logs_account_id_lead_id_fkey\)/)
  // Doctor's next advice.
  await installation.problems('counts')
}

/** Runs the statements that the advice names, as the owner of the tables. */
const runStatement =
  (pattern: RegExp) =>
  async (fix: string, { owner }: Installation) => {
    const [, statement] = pattern.exec(fix)!
    await owner.unsafe(statement!)
  }

async function runRestore(fix: string, { env, database, owner }: Installation) {
  const [, file] = /lead-engine restore (\S+) --yes/.exec(fix)!
  // The service is stopped.
  await database.close()
  const { status, err } = await callCommand(['restore', file!, '--yes'], env)
  assert.equal(status, 0, err)
  assert.equal((await owner`select from leads where company = 'Sharma'`).length, 2)
}

const callWithoutLead = `insert into call_logs (account_id, id, lead_id, call_type, duration_seconds, outcome, called_at, created_at)
  select id, gen_random_uuid(), gen_random_uuid(), 'Outbound', 5, 'Completed', now(), now() from accounts`

const isMadeAgain = /^Stop the service, save all data and restore it, which makes the tables again: /

const damages: Damage[] = [
  {
    name: 'row-level security is off',
    make: (owner) => owner`alter table leads disable row level security`,
    checks: ['structure'],
    message: /row-level security of leads is off\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'a policy shows everything',
    make: (owner) => owner.unsafe('drop policy visible on leads; create policy visible on leads using (true)'),
    checks: ['structure'],
    message: /the policy visible of leads is changed\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'another policy shows everything',
    make: (owner) => owner.unsafe('create policy reports on leads for select using (true)'),
    checks: ['structure'],
    message: /the policy reports of leads is not of Lead Engine\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'the keys that make one person one lead are dropped',
    make: (owner) =>
      owner.unsafe(`alter table leads drop constraint leads_account_id_phone_key_key;
        alter table lead_contacts drop constraint lead_contacts_pkey`),
    checks: ['structure'],
    message:
      /leads_account_id_phone_key_key of leads is missing.*lead_contacts_pkey of lead_contacts is missing|lead_contacts_pkey.*leads_account_id_phone_key_key/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'a table is dropped',
    make: (owner) => owner`drop table call_logs cascade`,
    checks: ['structure', 'counts'],
    message: /: the table call_logs is missing\.$/,
    fix: /^Only a backup has .*lead-engine restore \S+\.backup --yes\.$/,
    follow: runRestore,
  },
  {
    name: 'a column is dropped',
    make: (owner) => owner`alter table leads drop column company cascade`,
    checks: ['structure'],
    message: /the column leads\.company is missing/,
    fix: /lead-engine restore \S+\.backup --yes\.$/,
    follow: runRestore,
  },
  {
    name: 'a column allows null, and a check is dropped',
    make: (owner) =>
      owner.unsafe(
        'alter table leads alter source drop not null; alter table leads drop constraint leads_status_check',
      ),
    checks: ['structure'],
    message:
      /leads\.source is "text" instead of "text not null"; the constraint leads_status_check of leads is missing/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'triggers are disabled, and rows lost what they refer to',
    make: (owner) =>
      owner.unsafe(
        `alter table leads disable trigger all; alter table call_logs disable trigger all; ${callWithoutLead}`,
      ),
    checks: ['structure', 'references', 'counts'],
    message: /the foreign keys of call_logs are not checked, because its triggers are disabled/,
    fix: isMadeAgain,
    follow: withoutOrphans,
  },
  {
    name: 'a function is replaced',
    make: (owner) =>
      owner`create or replace function acting_for_all() returns boolean language sql stable parallel safe return true`,
    checks: ['structure'],
    message: /the function acting_for_all is changed\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'an index is dropped, and one is invalid',
    make: (owner) =>
      owner.unsafe(`drop index leads_by_city;
        update pg_index set indisvalid = false where indexrelid = 'leads_by_company'::regclass`),
    checks: ['structure', 'indexes'],
    message: /the index leads_by_city of leads is missing; the index leads_by_company of leads is invalid\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'a foreign key is dropped, and calls are without their lead',
    make: (owner) =>
      owner.unsafe(`alter table call_logs drop constraint call_logs_account_id_lead_id_fkey; ${callWithoutLead}`),
    checks: ['structure', 'counts'],
    message: /the constraint call_logs_account_id_lead_id_fkey of call_logs is missing\.$/,
    fix: isMadeAgain,
    follow: withoutOrphans,
  },
  {
    name: 'the service may not insert',
    make: async (owner) => owner.unsafe(`revoke insert on quick_replies from ${(await roleNames(owner, null))!.app}`),
    checks: ['structure'],
    message: /: lead_engine_app_\w+ lacks insert on quick_replies\.$/,
    fix: isMadeAgain,
    follow: makeAgain,
  },
  {
    name: 'a role of the service is a superuser',
    async make(owner, database) {
      // Roles of its own: other tests use those of this one.
      const one = openAsOwner({ ...JSON.parse(process.env.TEST_SERVER!), database }, { max: 1 })
      await one`update service_roles set ours = false`
      await migrate(one)
      await one.end()
      await owner.unsafe(`alter role ${(await roleNames(owner, null))!.app} superuser bypassrls`)
    },
    checks: ['database_rights'],
    message: /^Row-level security does not apply to the service: lead_engine_app_\w+ is a superuser\.$/,
    fix: /--repair, or as a superuser of PostgreSQL: alter role "lead_engine_app_\w+" nosuperuser nobypassrls\./,
  },
  {
    name: 'the database is read-only',
    make: (owner, database) => owner.unsafe(`alter database ${database} set default_transaction_read_only = on`),
    checks: ['writes'],
    message: /accepts no writes: its transactions are read-only\.$/,
    fix: /--repair, or as the owner of the database: alter database "\w+" reset default_transaction_read_only\.$/,
  },
  {
    name: 'the table of migrations lost a row',
    make: (owner) => owner`delete from migrations where file in ('0087_reports.sql', '0088_operation.sql')`,
    checks: ['schema'],
    message: /^The table migrations does not list 0087_reports\.sql, 0088_operation\.sql, and what they make is there/,
    fix: /--repair, which adds the rows again\.$/,
  },
  {
    name: 'the table of migrations has a row of no known version',
    make: (owner) => owner`insert into migrations (file, hash, compatible) values ('9999_future.sql', '', false)`,
    checks: ['schema'],
    message:
      /newer than this program, version \S+ \(it has 9999_future\.sql\)\. Its tables are those of this program\.$/,
    fix: /^Use the newer program\. If none was ever started here, /,
    follow: runStatement(/(delete from .*)\.$/),
  },
  {
    name: 'counts are out of step, and a lead is not found by its phone',
    make: (owner) =>
      owner.unsafe("update lead_counts set n = n + 5; update leads set phone_key = null where name = 'Ravi'"),
    checks: ['contacts', 'counts'],
    message: /^1 leads are not found by their phone or email \(for example [-0-9a-f]{36}\)\.$/,
    fix: /--repair: it makes their keys again\.$/,
  },
  {
    name: 'rows lost what they refer to, and others are not as the service writes them',
    make: (owner, database) =>
      owner.unsafe(`set session_replication_role = replica;
        update users set deactivated_at = now();
        ${callWithoutLead};
        update leads set assigned_to = gen_random_uuid(), phone_key = '+919999900000' where name = 'Uma';
        update leads set created_at = now() + interval '3 years' where name = 'Ravi';
        alter table quick_replies set unlogged; alter table leads set (autovacuum_enabled = false);
        alter database ${database} set search_path = nowhere; set session_replication_role = origin`),
    checks: ['settings', 'admins', 'rows', 'references', 'contacts', 'counts'],
    message:
      /^search_path is "nowhere" for the database \w+; autovacuum is off for leads: it grows with each change; quick_replies is unlogged: a crash empties it\.$/,
    fix: /--repair, or as the owner of the database: alter database "\w+" reset search_path; .*\. Then restart the service\.$/,
    async follow(_, installation) {
      const [admin, row] = await installation.problems('everything')
      assert.match(row!.message, /1 rows of leads are from the future, as created_at or updated_at says/)
      await runStatement(/run: (update leads .*)\. Then run/)(row!.fix!, installation)
      assert.equal(admin!.fix, 'Run lead-engine user activate asha@example.com.')
      const { status, err } = await callCommand(['user', 'activate', 'asha@example.com'], installation.env)
      assert.equal(status, 0, err)
      await installation.problems('counts')
    },
  },
  {
    name: 'a lead has lost all its contacts',
    make: (owner) => owner`update leads set phone = null, phone_key = null where name = 'Ravi'`,
    checks: ['contacts'],
    message: /^1 leads have no phone, email or other contact \(for example/,
    fix: /^Open \/leads\/ID in the web app for each of them, and add its phone or email or delete the lead\.$/,
    // As the web app does it.
    follow: (_, { owner }) =>
      owner`update leads set phone = '9810010001', phone_key = '+919810010001' where name = 'Ravi'`,
  },
]

if (!skip) {
  const { env, problems, close } = await installation()
  const { status, err } = await callCommand(
    ['backup', join(BACKUP_DIR, 'lead-engine-2026-01-01T20-30-00Z.backup')],
    env,
  )
  assert.equal(status, 0, err)
  assert.deepEqual(await problems(), [])
  await close()
}

// Each takes seconds: a thorough run makes all of them.
for (const { name, make, checks, message, fix, follow } of damages.filter((_, at) => isThorough || at % 3 === 0)) {
  test(`${name}: doctor finds it, and its advice repairs it`, { skip }, async (t) => {
    const damaged = await installation()
    t.after(damaged.close)
    await make(damaged.owner, damaged.connection.database)
    const found = await damaged.problems()
    assert.deepEqual(
      found.map(({ name }) => name),
      checks,
    )
    assert.match(found[0]!.message, message)
    assert.match(found[0]!.fix!, fix)
    if (follow) await follow(found[0]!.fix!, damaged)
    else await damaged.problems('everything')
    assert.deepEqual(await damaged.problems(), [])
  })
}

test('a key that two rows break: the restore sets one aside, and says which key', { skip }, async (t) => {
  const damaged = await installation()
  t.after(damaged.close)
  await damaged.owner.unsafe(`alter table leads drop constraint leads_account_id_phone_key_key;
    update leads set phone_key = '+919810010001'`)
  const [problem] = await damaged.problems()
  const said = await makeAgain(problem!.fix!, damaged)
  assert.match(said, /leads: 1 row left out: another row has the same key \(leads_account_id_phone_key_key\)/)
  assert.equal((await damaged.owner`select from leads where phone_key = '+919810010001'`).length, 1)
})

test('many differences are named briefly, and what others added is no problem', { skip }, async (t) => {
  const damaged = await installation()
  t.after(damaged.close)
  await damaged.owner.unsafe(`create table reports (id int); alter table leads add column mood text;
    create index own on leads (mood)`)
  const checks = await diagnose({ env: damaged.env, repair: 'nothing', onProgress: () => {} })
  const { ok, fix } = checks.find(({ name }) => name === 'structure')!
  assert.deepEqual([ok, fix], [true, 'Not made by Lead Engine: the column leads.mood.'])
  await damaged.owner`drop schema public cascade`
  await damaged.owner.unsafe('create schema public; create table leads (id int)')
  assert.match((await damaged.problems())[0]!.message, /no Lead Engine tables/)
})

test('a database whose tables are on a cluster is compared with what is there', { skip }, async (t) => {
  const { owner, roles, close } = await installation()
  t.after(close)
  const policies = await owner<{ named: string; condition: string }[]>`
    select format('%I on %I', policyname, tablename) as named, qual as condition from pg_policies where qual is not null`
  for (const { named, condition } of policies)
    await owner.unsafe(`alter policy ${named} using (${withoutSubSelects(condition)})`)
  for (const name of await ownersFunctions(owner)) await owner.unsafe(`alter function ${name} security invoker`)
  const wanted = await expectedSchema(owner, roles)
  assert.deepEqual(placedDifferences(await readSchema(owner, roles), wanted), [])
  await owner`alter policy visible on leads using (account_id = acting_account())`
  const [found, ...others] = placedDifferences(await readSchema(owner, roles), wanted)
  assert.deepEqual([found!.kind, found!.of, found!.name, others], ['policy', 'leads', 'visible', []])
})

test('a damaged newest backup is found, with the newest that can be restored', { skip }, async (t) => {
  const { env, problems, close } = await installation()
  t.after(close)
  const [older, newer] = ['2026-01-01T20-30-00Z', '2026-01-02T20-30-00Z'].map((at) =>
    join(BACKUP_DIR, `lead-engine-${at}.backup`),
  )
  t.after(() => rmSync(newer!))
  const content = readFileSync(older!)
  const flipped = Buffer.from(content)
  flipped[content.length >> 1]! ^= 1
  for (const [bytes, reason] of [
    [content.subarray(0, -5000), 'its end is missing'],
    [flipped, ''],
  ] as const) {
    writeFileSync(newer!, bytes)
    const [found, ...others] = await problems()
    assert.deepEqual([found!.name, others], ['newest_backup', []])
    assert.ok(found!.message.startsWith(`${newer} is damaged (${reason}`), found!.message)
    assert.ok(found!.message.endsWith(`The newest undamaged one is ${older}.`), found!.message)
    const [, made] = /lead-engine backup (\S+)\. /.exec(found!.fix!)!
    assert.equal((await callCommand(['backup', made!], env)).status, 0)
    assert.deepEqual(await problems(), [])
    rmSync(made!)
  }
})
