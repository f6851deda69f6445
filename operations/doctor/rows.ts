import { startColumns } from '../../server/crm/leads/columns.ts'
import { quoted, type Sql, type TransactionSql } from '../../server/platform/database/sql.ts'
import { type Check, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { notRead, readEach, wholeTables } from './whole-tables.ts'

/** Times that have passed. Others are given by users, such as that of a call, or are in the future. */
const past = ['created_at', 'updated_at', 'received_at', 'added_at']

/** A rule that every row of a table keeps, in SQL. */
interface Rule {
  broken: string
  text: string
  fix: string
  /** Whether `fix` is a statement that loses nothing. */
  isLossless?: true
}

interface Table {
  name: string
  /** The row, as text. */
  key: string
  rules: Rule[]
}

/** Looks for rows that break a rule: PostgreSQL checks constraints and computes columns only when it writes. */
export const rows = (installation: Installation): Check =>
  wholeTables(installation, {
    name: 'rows',
    async run(sql) {
      const { found, unread } = await readEach(sql, await listTables(sql), findBroken)
      if (found.length === 0) return fine(`Every row that was read keeps the rules of its table.${notRead(unread)}`)
      const all = found.flat()
      const lossless = all.filter(({ isLossless }) => isLossless)
      const isRepairing = installation.repair === 'everything'
      if (isRepairing) for (const { fix } of lossless) await sql.unsafe(fix)
      const broken = isRepairing ? all.filter(({ isLossless }) => !isLossless) : all
      if (broken.length === 0) return fine(`Repaired: ${named(all.map(({ text }) => text))}.`)
      if (broken.every(({ isLossless }) => isLossless))
        return problem(
          `${named(broken.map(({ text }) => text))}.${notRead(unread)}`,
          'Run lead-engine doctor --repair: it computes them again.',
        )
      return problem(
        `${named(broken.map(({ text }) => text))}.${notRead(unread)}`,
        `As the owner of the database, run: ${named(broken.map(({ fix }) => fix))}. Then run lead-engine doctor --repair-counts.`,
      )
    },
  })

async function listTables(sql: Sql): Promise<Table[]> {
  const tables = await sql<
    { name: string; key: string; checks: string[]; computed: [string, string][]; times: string[]; columns: string[] }[]
  >`
    select pg_class.oid::regclass::text as name, key.text as key,
      (select coalesce(json_agg(pg_get_expr(conbin, conrelid)), '[]') from pg_constraint
        where conrelid = pg_class.oid and contype = 'c') as checks,
      (select coalesce(json_agg(json_build_array(attname, pg_get_expr(adbin, adrelid))), '[]') from pg_attrdef
        join pg_attribute on attrelid = adrelid and attnum = adnum
        where adrelid = pg_class.oid and attgenerated = 's') as computed,
      (select coalesce(json_agg(attname), '[]') from pg_attribute
        where attrelid = pg_class.oid and attname = any (${past}::text[])) as times,
      (select json_agg(attname) from pg_attribute where attrelid = pg_class.oid and not attisdropped) as columns
    from pg_class cross join lateral (
      select string_agg(quote_ident(attname), ', ') as text from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = pg_class.oid and indisprimary and (attname <> 'account_id' or indnatts = 1)
    ) key
    where relnamespace = 'public'::regnamespace and relkind = 'r' and key.text is not null
    order by relpages`
  return tables
    .map(({ name, key, checks, computed, times, columns }) => ({
      name,
      key,
      rules: [
        ...checks.map((check) => keptCheck(name, check)),
        ...computedColumns(name, computed),
        ...passed(name, times),
        // The check structure names a column that is missing.
        ...(name === 'leads' && startColumns.every((column) => columns.includes(column)) ? [storedAnswer] : []),
      ],
    }))
    .filter(({ rules }) => rules.length > 0)
}

/** `answer_start` is the beginning of the lead's JSON, which the service writes with the lead, and SQL by hand does not. */
const storedAnswer: Rule = (() => {
  const columns = startColumns.map((name) =>
    name === 'created_at' || name === 'updated_at'
      ? `left(to_json(leads.${name})#>>'{}', 19) || 'Z' as ${name}`
      : `leads.${name}`,
  )
  const made = `(select left(row_to_json(start)::text, -1) from (select ${columns.join(', ')}) start)`
  const differs = `answer_start <> ${made}`
  return {
    // As text first: few differ, in how a number or a sign is written.
    broken: `${differs} and (answer_start || '}')::jsonb <> (${made} || '}')::jsonb`,
    text: 'of leads are answered as they were before a change in SQL',
    fix: `update leads set answer_start = null where ${differs}`,
    isLossless: true,
  }
})()

function keptCheck(table: string, check: string): Rule {
  const broken = `(${check}) is false`
  return {
    broken,
    text: `of ${table} break the check ${check}`,
    fix: `select * from ${table} where ${broken}, and correct these rows`,
  }
}

function computedColumns(table: string, computed: [string, string][]): Rule[] {
  if (computed.length === 0) return []
  const broken = computed.map(([name, expression]) => `${quoted(name)} is distinct from (${expression})`).join(' or ')
  const again = computed.map(([name]) => `${quoted(name)} = default`).join(', ')
  return [
    {
      broken,
      text: `of ${table} have another value in ${computed.map(([name]) => name).join(', ')} than is computed from the others`,
      fix: `update ${table} set ${again} where ${broken}`,
      isLossless: true,
    },
  ]
}

function passed(table: string, times: string[]): Rule[] {
  if (times.length === 0) return []
  const broken = times.map((time) => `${time} > now() + interval '5 minutes'`).join(' or ')
  const now = times.map((time) => `${time} = least(${time}, now())`)
  return [
    {
      broken,
      text: `of ${table} are from the future, as ${times.join(' or ')} says`,
      // The stored beginning of the lead's JSON has them too.
      fix: `update ${table} set ${[...now, ...(table === 'leads' ? ['answer_start = null'] : [])].join(', ')} where ${broken}`,
    },
  ]
}

interface Broken extends Pick<Rule, 'isLossless'> {
  text: string
  fix: string
}

async function findBroken(tx: TransactionSql, { name, key, rules }: Table): Promise<Broken[] | null> {
  const any = rules.map(({ broken }) => `(${broken})`).join(' or ')
  const counts = rules.flatMap(({ broken }, at) => [
    `count(*) filter (where ${broken})::int as n${at}`,
    `min(concat_ws(' ', ${key})) filter (where ${broken}) as key${at}`,
  ])
  const [row] = await tx.unsafe(`select ${counts.join(', ')} from only ${name} where ${any}`)
  const broken = rules.flatMap(({ broken: _, text, ...rest }, at) =>
    row![`n${at}`] > 0 ? [{ ...rest, text: `${row![`n${at}`]} rows ${text} (for example ${row![`key${at}`]})` }] : [],
  )
  return broken.length > 0 ? broken : null
}
