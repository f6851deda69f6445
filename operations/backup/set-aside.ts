import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TransactionSql } from '../../server/platform/database/sql.ts'
import { setAsideName } from './backup-folder.ts'
import type { PostponedKey } from './postponed-keys.ts'

/** Rows that the schema does not allow: a restore leaves them out, or takes the name of what is missing out of them. */
export interface SetAside {
  /** Their former content: a JSON value on each line. */
  file: string
  rows: { table: string; rows: number; constraint: string; reason: string }[]
}

/** Makes the keys again. Rows that break one are set aside first. */
export async function makeKeys(tx: TransactionSql, keys: PostponedKey[], made: (more: number) => void): Promise<void> {
  await tx`create temporary table set_aside (of_table text, key_name text, reason text, row jsonb) on commit drop`
  for (const key of keys.filter(({ kind }) => kind !== 'foreign')) {
    await unlessBroken(tx, [key], async () => {
      await setAside(tx, key)
    })
    made(1)
  }
  const foreign = keys.filter(({ kind }) => kind === 'foreign')
  // All at once: a row that is set aside may be what others name.
  await unlessBroken(tx, foreign, async () => {
    for (let found = 1; found > 0; ) {
      found = 0
      for (const key of foreign) found += await setAside(tx, key)
    }
  })
  made(foreign.length)
}

async function unlessBroken(tx: TransactionSql, keys: PostponedKey[], fix: () => Promise<void>): Promise<void> {
  const makeAll = () =>
    tx.savepoint(async (part) => {
      for (const { make } of keys) await part.unsafe(make)
    })
  await makeAll().catch(async (error: { code?: string }) => {
    if (!error.code?.startsWith('23')) throw error
    await fix()
    await makeAll()
  })
}

/** Returns how many rows broke the key. */
async function setAside(tx: TransactionSql, key: PostponedKey): Promise<number> {
  const { table, name, broken, clear } = key
  const keep = 'insert into set_aside select $1, $2, $3, to_jsonb(child)'
  const values = [table, name, reasonOf(key)]
  if (!clear) {
    const { count } = await tx.unsafe(
      `with child as (delete from ${table} as child where ${broken} returning child.*) ${keep} from child`,
      values,
    )
    return count
  }
  const { count } = await tx.unsafe(`${keep} from ${table} as child where ${broken}`, values)
  // The beginning of a lead's answer names its owner.
  const cleared = table === 'leads' ? [...clear, 'answer_start'] : clear
  const changes = cleared.map((column) => `${column} = null`).join(', ')
  if (count > 0) await tx.unsafe(`update ${table} as child set ${changes} where ${broken}`)
  return count
}

function reasonOf({ kind, parent, clear }: PostponedKey): string {
  if (kind === 'unique') return 'left out: another row has the same key'
  if (kind === 'check') return 'left out: it has a value that is not allowed'
  const missing = `its row of ${parent} is missing`
  return clear ? `restored without ${clear.join(', ')}: ${missing}` : `left out: ${missing}`
}

/** Writes what was set aside, but nothing of a lead or an account that was deleted. Returns null if no row was. */
export async function writeSetAside(tx: TransactionSql, dataDir: string): Promise<SetAside | null> {
  const [deletions] = await tx`select from pg_tables where schemaname = 'public' and tablename = 'erased_leads'`
  if (deletions)
    await tx`delete from set_aside using erased_leads
      where lead_id::text in (row ->> 'lead_id', row ->> 'account_id', case when of_table = 'leads' then row ->> 'id' end)`
  const rows = await tx<SetAside['rows']>`
    select of_table as table, count(*)::int as rows, key_name as constraint, reason
    from set_aside group by 1, 3, 4 order by 1, 3`
  if (rows.length === 0) return null
  const path = join(dataDir, setAsideName(new Date()))
  const file = await open(path, 'wx', 0o600)
  try {
    await tx`declare aside cursor for select jsonb_build_object('table', of_table, 'constraint', key_name,
      'reason', reason, 'row', row)::text as line from set_aside`
    for (;;) {
      const lines = await tx.unsafe<{ line: string }[]>('fetch 500 from aside')
      if (lines.length === 0) break
      await file.appendFile(lines.map(({ line }) => `${line}\n`).join(''))
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { file: path, rows: [...rows] }
}

/** Says which rows were set aside. */
export const rowLines = ({ rows }: Pick<SetAside, 'rows'>): string[] =>
  rows.map(
    ({ table, rows, constraint, reason }) =>
      `${table}: ${rows} ${rows === 1 ? 'row' : 'rows'} ${reason} (${constraint}).`,
  )

/** Says the same, and what to do about it. */
export const setAsideLines = (setAside: SetAside): string[] => [
  ...rowLines(setAside),
  `These rows are in ${setAside.file} as they were. It has personal data: remove it when you no longer need it.`,
  'Totals may count them: run lead-engine doctor --repair after the start.',
]
