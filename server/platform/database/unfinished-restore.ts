import type { Sql, TransactionSql } from './sql.ts'

/** A restore that has started. Its own transaction removes it, so one that is found was killed, or failed with an empty database. */
export interface UnfinishedRestore {
  file: string
  started_at: Date
}

export const interrupted = ({ file, started_at }: UnfinishedRestore) =>
  `The restore of ${file} that started at ${started_at.toISOString()} was not completed`

export async function recordRestore(sql: Sql, file: string): Promise<void> {
  await sql.begin(async (tx) => {
    await forgetRestore(tx)
    await tx`create table unfinished_restores (file text not null, started_at timestamptz not null default now())`
    await tx`insert into unfinished_restores (file) values (${file})`
  })
}

export async function findUnfinishedRestore(sql: Sql): Promise<UnfinishedRestore | null> {
  const [table] = await sql`select from pg_tables where schemaname = 'public' and tablename = 'unfinished_restores'`
  const [restore] = table ? await sql<UnfinishedRestore[]>`select file, started_at from unfinished_restores` : []
  return restore ?? null
}

export async function forgetRestore(sql: Sql | TransactionSql): Promise<void> {
  await sql`drop table if exists unfinished_restores`
}
