import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Connection } from '../../server/platform/database/connect.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { scriptFile } from './scripts.ts'

/** What PostgreSQL does by itself, the measure of the service: rows like those of leads, without anything else. */
export async function makeReferenceTable(owner: Sql): Promise<void> {
  await owner.unsafe(`
    create table reference_leads (
      account_id uuid not null, id uuid not null, name text not null, email text, email_key text, phone text,
      phone_key text, company text, city text, source text, status text not null, priority text not null,
      tags text[] not null, deal_value numeric, notes text, assigned_to uuid, created_at timestamptz not null,
      updated_at timestamptz not null, primary key (account_id, id)
    );
    create unique index reference_leads_phone on reference_leads (account_id, phone_key);
    create unique index reference_leads_email on reference_leads (account_id, email_key);
    create index reference_leads_newest on reference_leads (account_id, created_at desc, id desc);
  `)
}

/** `n` is a parameter. */
export const insertReference = (n: string) => `
insert into reference_leads values ('6d1c9d8e-0000-4000-8000-000000000001', gen_random_uuid(), 'Ravi Kumar',
  'p' || ${n} || '@example.com', 'p' || ${n} || '@example.com', '+91' || ${n}, '+91' || ${n}, 'Kumar Traders', 'Pune', 'Website',
  'New', 'Medium', '{brochure}', 45000, 'Call after six', null, now(), now());
`

export const insertOne = `\\set n random(1, 1000000000000000)${insertReference(':n')}`

export const selectFifty = (accountId: string) => `
select id, name, email, phone, company, city, source, status, priority, tags, deal_value, notes, assigned_to, created_at,
  updated_at from leads where account_id = '${accountId}' order by created_at desc, id desc limit 50;
`

/** Returns the transactions per second of 32 clients that run a script in one database. */
export async function runPgbench(
  { host, port, username, password, database }: Connection,
  script: string,
  seconds: number,
): Promise<number> {
  const file = scriptFile('pgbench.sql', script)
  const { stdout } = await promisify(execFile)(
    'pgbench',
    ['-n', '-M', 'prepared', '-c', '32', '-j', '2', '-T', String(seconds), '-f', file],
    {
      env: {
        ...process.env,
        PGHOST: host,
        PGPORT: String(port),
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: database,
      },
    },
  ).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('pgbench is missing: install the package postgresql-contrib') : error
  })
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}
