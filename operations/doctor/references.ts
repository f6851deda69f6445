import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quoted, type Sql, type TransactionSql } from '../../server/platform/database/sql.ts'
import { setAsideName } from '../backup/backup-folder.ts'
import { type Check, type Finding, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { notRead, readEach, wholeTables } from './whole-tables.ts'

/** A foreign key, with its columns as SQL. */
interface Reference {
  /** `leads.assigned_to` */
  name: string
  table: string
  column: string
  parent: string
  /** What joins `child` and `parent`. */
  joins: string
  /** The columns of the child, none of which is null in a row that references. */
  given: string
  /** The row of the child, as text. */
  key: string
  /** The column that may be null, if there is one. */
  clears: string | null
  /** Whether rows of other tables belong to those of the child. */
  hasChildren: boolean
  /** The child has a copy of the owner of its lead. */
  copiesOwner: boolean
}

interface Broken {
  reference: Reference
  orphans: number
  /** Rows whose copy of the owner differs from their lead. */
  otherOwner: number
  example: string
}

/** How many rows are changed at once. */
const batch = 1000

/** Looks for rows whose lead, user or other parent does not exist: PostgreSQL checks a foreign key only when it writes. */
export const references = (installation: Installation): Check =>
  wholeTables(installation, {
    name: 'references',
    ...(installation.repair === 'everything' ? { seconds: 3600 } : {}),
    async run(sql) {
      const { found, unread } = await readEach(sql, await listReferences(sql), findBroken)
      if (found.length === 0) {
        return fine(`Every row that was read has the rows that it refers to.${notRead(unread)}`)
      }
      const wrong = named(found.map(textOf))
      if (installation.repair !== 'everything') return broken(installation, found, `${wrong}.${notRead(unread)}`)
      return repairAll(installation, found, wrong)
    },
  })

async function listReferences(sql: Sql): Promise<Reference[]> {
  return sql<Reference[]>`
    select format('%s.%s', conrelid::regclass, columns.last) as name, conrelid::regclass::text as table, columns.last as column,
      confrelid::regclass::text as parent, columns.joins, columns.given, key.text as key,
      case when not columns.is_needed then columns.last end as clears,
      exists (select from pg_constraint other where other.contype = 'f' and other.confrelid = pg_constraint.conrelid) as "hasChildren",
      confrelid = 'leads'::regclass and columns.last = 'lead_id' and exists (
        select from pg_attribute where attrelid = conrelid and attname = 'assigned_to' and not attisdropped) as "copiesOwner"
    from pg_constraint
    join pg_class on pg_class.oid = conrelid
    cross join lateral (
      select string_agg(format('parent.%I = child.%I', of_parent.attname, of_child.attname), ' and ') as joins,
        string_agg(format('child.%I is not null', of_child.attname), ' and ') as given,
        (array_agg(quote_ident(of_child.attname) order by at desc))[1] as last,
        (array_agg(of_child.attnotnull order by at desc))[1] as is_needed
      from unnest(conkey, confkey) with ordinality as pair (here, there, at)
      join pg_attribute of_child on of_child.attrelid = conrelid and of_child.attnum = here
      join pg_attribute of_parent on of_parent.attrelid = confrelid and of_parent.attnum = there
    ) columns
    cross join lateral (
      select string_agg(format('child.%I', attname), ', ') as text from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any (indkey) where indrelid = conrelid and indisprimary
        and (attname <> 'account_id' or indnatts = 1)
    ) key
    where contype = 'f' and connamespace = 'public'::regnamespace
    order by relpages, 1`
}

const fromBoth = ({ table, parent, joins }: Reference) =>
  `from only ${table} as child left join only ${parent} as parent on ${joins}`

/** In a row of the parent, its key is never null. */
const isOrphan = ({ given, parent, joins }: Reference) =>
  `(${given}) and not exists (select from only ${parent} as parent where ${joins})`

async function findBroken(tx: TransactionSql, reference: Reference): Promise<Broken | null> {
  const { table, key, given, copiesOwner } = reference
  const example = `min(concat_ws(' ', ${key}))`
  const [row] = await (copiesOwner
    ? tx.unsafe<Omit<Broken, 'reference'>[]>(`
        select count(*) filter (where parent.id is null)::int as orphans,
          count(*) filter (where parent.id is not null)::int as "otherOwner", ${example} as example
        ${fromBoth(reference)} where (${given}) and (parent.id is null or child.assigned_to is distinct from parent.assigned_to)`)
    : tx.unsafe<Omit<Broken, 'reference'>[]>(
        `select count(*)::int as orphans, 0 as "otherOwner", ${example} as example from only ${table} as child where ${isOrphan(reference)}`,
      ))
  return row!.orphans + row!.otherOwner > 0 ? { reference, ...row! } : null
}

function textOf({ reference: { table, parent, column }, orphans, otherOwner, example }: Broken): string {
  const texts = [
    ...(orphans > 0 ? [`${orphans} rows of ${table} refer to ${parent} that do not exist, in ${column}`] : []),
    ...(otherOwner > 0 ? [`${otherOwner} rows of ${table} have another owner than their lead`] : []),
  ]
  return `${texts.join(', and ')} (for example ${example})`
}

/** Whether the rows can be taken out without others that belong to them. */
const isRepairable = ({ reference: { clears, hasChildren }, orphans }: Broken) =>
  orphans === 0 || clears !== null || !hasChildren

async function broken({ restoreAdvice }: Installation, found: Broken[], wrong: string): Promise<Finding> {
  const isLost = found.some((one) => one.orphans > 0)
  if (!found.every(isRepairable)) return problem(wrong, await restoreAdvice.ofDatabase())
  return problem(
    wrong,
    'Run lead-engine doctor --repair. It keeps the rows that belong to nothing in a file in DATA_DIR and takes them out, makes leads ' +
      'without their user unassigned, and gives rows the owner of their lead.' +
      (isLost ? ' If the lost rows are needed, restore a backup from before the loss instead.' : ''),
  )
}

async function repairAll(installation: Installation, found: Broken[], wrong: string): Promise<Finding> {
  const sql = installation.sql.get()
  const file = join(installation.settings.get().dataDir, setAsideName(installation.now))
  // Rows lose their parents first: those that are cleared may give others another owner.
  const orphaned = found.filter((one) => one.orphans > 0 && isRepairable(one))
  for (const { reference } of orphaned) await takeOut(sql, reference, file)
  const copies = (await listReferences(sql)).filter(({ copiesOwner }) => copiesOwner)
  for (const reference of copies) await copyOwners(sql, reference)
  const { found: left } = await readEach(sql, await listReferences(sql), findBroken)
  if (left.length > 0) return broken(installation, left, `${named(left.map(textOf))}.`)
  const kept = orphaned.length > 0 ? ` ${file} has the rows as they were, with their personal data.` : ''
  return fine(`Repaired: ${wrong}.${kept}`)
}

/** Writes rows without their parent to the file, but none of a lead that a user deleted, and deletes them or the reference. */
async function takeOut(sql: Sql, reference: Reference, path: string): Promise<void> {
  const { table, parent, clears } = reference
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a', 0o600)
  try {
    for (let count = batch; count === batch; ) {
      count = await sql.begin(async (tx) => {
        const some = `select ctid from only ${table} as child where ${isOrphan(reference)} limit ${batch} for update`
        const rows = await tx.unsafe<{ ctid: string; line: string | null }[]>(`
          select ctid::text, case when not exists (select from erased_leads where lead_id::text = to_jsonb(child) ->> 'lead_id')
            then jsonb_build_object('table', '${table}', 'reason', 'its row of ${parent} is missing', 'row', to_jsonb(child))::text end as line
          from only ${table} as child where ctid = any (array(${some}))`)
        const places = rows.map(({ ctid }) => ctid)
        await file.appendFile(rows.map(({ line }) => (line ? `${line}\n` : '')).join(''))
        await file.sync()
        const which = 'where ctid = any ($1::text[]::tid[])'
        if (clears) await tx.unsafe(`update only ${table} set ${clears} = null ${which}`, [places])
        else await tx.unsafe(`delete from only ${table} ${which}`, [places])
        return rows.length
      })
    }
  } finally {
    await file.close()
  }
}

async function copyOwners(sql: Sql, { table, joins, given }: Reference): Promise<void> {
  await sql.unsafe(`update only ${table} as child set assigned_to = parent.assigned_to from only ${quoted('leads')} as parent
    where (${given}) and ${joins} and child.assigned_to is distinct from parent.assigned_to`)
}
