import { migrationTexts } from '../server/platform/database/migrate.ts'
import type { Sql } from '../server/platform/database/sql.ts'

/** What tables contain whose migration does not say so. A new table has a comment above `create table` instead. */
const contents: Record<string, string> = {
  accounts: 'The customers of an installation, with their settings.',
  users: 'The users of accounts. Signing in reads them through the view `active_users`, which has no deactivated ones.',
  api_keys: 'API keys of users.',
  sessions: 'Sessions of users who are signed in.',
  verifications: 'Steps of signing in that are under way.',
  two_factors: 'Two-factor sign-in of users.',
  backup_runs: 'Daily backups.',
  continuous_backup: 'What the continuous backup has saved, and the last restore drill.',
  leads: 'People who may buy.',
  call_logs: 'Calls with leads.',
  timeline_entries: 'What happened to a lead.',
  notification_settings: 'How a user wants to be notified.',
  webhooks: 'URLs at which platforms send leads, with mapping and defaults.',
  deliveries: 'Calls of webhooks, with what became of them.',
  delivery_receipts: 'Ids that platforms give to deliveries.',
  distribution_rules: 'Who gets new leads.',
  distribution_turns: 'The shares of each round robin, and how many leads users got on the last day.',
  lead_counts: 'Leads per day.',
  call_counts: 'Calls per day.',
  delivery_counts: 'Deliveries per day, webhook and outcome.',
  lead_count_changes: 'Changes that are not added to `lead_counts` yet.',
  call_count_changes: 'Changes that are not added to `call_counts` yet.',
  delivery_count_changes: 'Changes that are not added to `delivery_counts` yet.',
  migrations: 'Applied migrations.',
  schema_texts: 'The hash of each file of functions and policies that was applied last.',
  service_roles: 'The database roles of the service, and their passwords.',
}

interface Table {
  name: string
  columns: { name: string; type: string; nullable: boolean; special: string | null; default: string | null }[]
  keys: { columns: string[]; target: string; cascades: boolean; isOne: boolean; isOptional: boolean }[]
  checks: string[]
  indexes: { name: string; definition: string; kind: 'primary key' | 'unique' | null }[]
  policies: string | null
}

/** Returns docs/reference/schema.md for a migrated database. The order and the notes are those of the migrations. */
export async function schemaPage(sql: Sql): Promise<string> {
  const tables = new Map((await readTables(sql)).map((table) => [table.name, table]))
  const parts: string[] = []
  for (const [file, text] of migrationTexts) {
    const names = [...text.matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name)
    const created = names.flatMap((name) => tables.get(name) ?? [])
    for (const { name } of created) tables.delete(name)
    if (created.length === 0) continue
    const subject = file.replace(/^\d+_|\.sql$/g, '').replaceAll('_', ' ')
    parts.push(`## ${subject[0]!.toUpperCase()}${subject.slice(1)} (\`${file}\`)`, introduction(text), picture(created))
    parts.push(...created.map((table) => describe(table, commentsIn(text))))
  }
  parts.push('## Installation', 'The program makes these tables itself, before the first migration.')
  parts.push(...[...tables.values()].map((table) => describe(table, new Map())))
  return `${[head, ...parts.filter(Boolean)].join('\n\n')}\n`
}

const head = `# Schema

Look up the tables, their columns, keys and policies. \`server/platform/database/migrations/\` has the statements,
\`server/platform/database/schema/\` the functions and policies, and [SQL](sql.md) the rules for them. \`npm run schema-page\` writes this page from a migrated database.

- **null**: whether the column may be null.
- **references**: the table of a foreign key. A key of several columns is listed at its last one. With **cascade**, the row is
  deleted together with the row that it references. An id without a reference may name a row that no longer exists.
- **note**: the values that a column allows, and the comment above it in the migration, which may also be about the next columns.
- **policies**: what [row-level security](visibility.md) permits. \`server/platform/database/schema/policies/\` has their conditions.
- Each picture shows the foreign keys of a section, with the name of the column that references.`

function picture(tables: Table[]): string {
  const lines = tables.flatMap(({ name, keys }) =>
    keys.map(({ columns, target, isOne, isOptional }) => {
      return `  ${target} ${isOptional ? '|o' : '||'}--${isOne ? 'o|' : 'o{'} ${name} : ${columns.at(-1)}`
    }),
  )
  return lines.length > 0 ? ['```mermaid', 'erDiagram', ...lines, '```'].join('\n') : ''
}

function describe({ name, columns, keys, checks, indexes, policies }: Table, comments: Map<string, string>): string {
  const text = [contents[name], comments.get(name)].filter(Boolean).join(' ')
  if (!text) throw new Error(`Say in a comment above "create table ${name}" what it contains.`)
  // Neighbors that differ only by their names share a row.
  const rows: { names: string[]; rest: string }[] = []
  for (const column of columns) {
    const references = keys
      .filter((key) => key.columns.at(-1) === column.name)
      .map(({ target, cascades }) => `[${target}](#${target})${cascades ? ', cascade' : ''}`)
    const value = column.special ?? (column.default ? `\`${briefly(column.default)}\`` : '')
    const note = [valuesOf(column.name, checks), comments.get(`${name}.${column.name}`)].filter(Boolean).join('. ')
    const type = column.type.replace(/^timestamp(.*) with time zone/, 'timestamptz$1')
    const rest = [type, column.nullable ? 'yes' : '', value, references.join('; '), note].join(' | ')
    if (rows.at(-1)?.rest === rest) rows.at(-1)!.names.push(column.name)
    else rows.push({ names: [column.name], rest })
  }
  const header = '| column | type | null | default | references | note |\n|---|---|---|---|---|---|'
  const table = rows.map(({ names, rest }) => `| ${codes(names)} | ${rest} |`.replace(/ {2,}/g, ' '))
  const constraints = indexes.flatMap(({ kind, definition }) =>
    kind ? `${kind} ${codes([indexed(definition).replace('unique ', '')])}` : [],
  )
  const named = indexes.filter(({ kind }) => kind === null)
  const list = [
    `- ${[...constraints, `policies: ${policies ?? 'none'}`].join('; ')}`,
    ...named.map((index) => `- ${codes([index.name])}: ${codes([indexed(index.definition)])}`),
  ]
  return [`### ${name}`, text, [header, ...table].join('\n'), list.join('\n')].join('\n\n')
}

const codes = (texts: string[]) => texts.map((text) => `\`${text}\``).join(', ')

/** `(account_id, city_key) where city_key is not null` */
function indexed(definition: string): string {
  const shown = briefly(definition.replace(/^CREATE (UNIQUE )?.* USING (btree )?/, '$1'))
    .replace(/'[^']*'|[A-Z]+/g, (part) => (part.startsWith("'") ? part : part.toLowerCase()))
    .replace(/ = any \(array\[(.*?)\]\)/g, ' in ($1)')
    .replace(/ <> all \(array\[(.*?)\]\)/g, ' not in ($1)')
  // Without parentheses around one comparison, and around all.
  return shown
    .replace(/\((\w+ (?:[<>=]+|is|in|not in) (?:\([^()]*\)|[^()])*)\)/g, '$1')
    .replace(/ where \((.*)\)$/, ' where $1')
}

/** `'{}'` instead of `'{}'::text[]`, `-1` instead of `'-1'::integer` */
const briefly = (text: string) => text.replace(/'(-?\d+)'::(?!text)[a-z]+/g, '$1').replace(/::[a-z]+(\[\])?/g, '')

/** The values that a check allows. */
function valuesOf(column: string, checks: string[]): string {
  const check = checks.find((text) => text.startsWith(`CHECK ((${column} = ANY (ARRAY[`))
  return codes([...(check ?? '').matchAll(/'([^']+)'/g)].map(([, value = '']) => value))
}

/** The comment at the beginning of a migration. */
function introduction(text: string): string {
  const [, comment = ''] = /^-- compatible: \w+\n(?:-- functions: .*\n)?((?:--.*\n)*)/.exec(text) ?? []
  return comment.replace(/^--$/gm, '').replace(/^-- /gm, '').trim()
}

/** Comments above a table (`leads`) or above a column of it (`leads.city`). */
function commentsIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let table = ''
  let comment: string[] = []
  for (const line of text.split('\n')) {
    const [, said] = /^\s*-- (.*)/.exec(line) ?? []
    if (said) comment.push(said)
    else {
      const [, created] = /^create table (\w+)/.exec(line) ?? []
      const [, column] = /^ {2}(\w+) /.exec(line) ?? []
      if (created) table = created
      if (comment.length > 0 && (created || column)) found.set(created ?? `${table}.${column}`, comment.join(' '))
      comment = []
    }
  }
  return found
}

const readTables = (sql: Sql) => sql<Table[]>`
  select whole.relname as name,
    to_json(array(
      select json_build_object('name', attname, 'nullable', not attnotnull, 'type', format_type(atttypid, atttypmod),
        'special', case when attidentity <> '' then 'identity' when attgenerated <> '' then 'generated' end,
        'default', pg_get_expr(adbin, adrelid))
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = whole.oid and attnum > 0 and not attisdropped order by attnum
    )) as columns,
    to_json(array(
      select json_build_object('target', confrelid::regclass::text, 'cascades', confdeltype = 'c',
        'columns', array(select attname from unnest(conkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = conrelid and attnum = number order by place),
        'isOptional', exists (select from pg_attribute where attrelid = conrelid and attnum = any (conkey) and not attnotnull),
        'isOne', exists (select from pg_index where indrelid = conrelid and indisunique and indpred is null
          and indkey::int2[] <@ conkey))
      from pg_constraint where conrelid = whole.oid and contype = 'f' order by conname
    )) as keys,
    to_json(array(
      select pg_get_constraintdef(oid) from pg_constraint where conrelid = whole.oid and contype = 'c' order by conname
    )) as checks,
    to_json(array(
      select json_build_object('name', index.relname, 'definition', pg_get_indexdef(indexrelid),
        'kind', case when indisprimary then 'primary key' when conname is not null then 'unique' end)
      from pg_index join pg_class as index on index.oid = indexrelid
      left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
      where indrelid = whole.oid order by indisprimary desc, conname is null, index.relname
    )) as indexes,
    (
      select string_agg(format('\`%s\` (%s)', policyname, lower(cmd)), ', ' order by policyname)
      from pg_policies where schemaname = 'public' and tablename = whole.relname
    ) as policies
  from pg_class as whole where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`
