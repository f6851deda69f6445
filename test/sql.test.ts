import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { directoryTables } from '../server/database/placement.ts'
import { testDatabase } from './database.ts'

/** The rules of docs/reference/sql.md, which let accounts be spread over several database machines. */

const { owner, close } = await testDatabase()
after(close)

/** Statements that break a rule, by a text that only they contain, with the reason. They change when accounts are spread. */
const known: Record<string, string> = {
  'insert into delivery_contacts': 'hashes the contacts in the database, and does not need what it inserted',
  'insert into api_key_uses': 'writes the last uses of many keys at once, and does not need what it inserted',
  'insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details) select':
    'reassigns a batch of leads within a function',
  'insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n) select account_id':
    'reassigns a batch of leads within a function',
  'insert into lead_day_counts (account_id, day, assigned_to, slot, n) select':
    'reassigns a batch of leads within a function',
  'insert into call_counts': 'moves the counts of a batch of calls within a function',
  'insert into distribution_turns': 'starts the round robin of a rule within a function',
  'from gone group by ${keys}': 'folds counts: moves rows from one slot to another',
  'deleted group by 1, 2, 3': 'returns the IST day of each delivery it deleted, by an immutable expression',
}

const tables = (
  await owner<{ name: string }[]>`select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
).map(({ name }) => name)
const accountTables = tables.filter((name) => !directoryTables.has(name))

test('every table is account data or in the directory', async () => {
  const rows = await owner<{ name: string }[]>`select relname as name from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'account_id' and attnotnull
    where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const withAccount = new Set(rows.map(({ name }) => name))
  for (const name of accountTables) assert.ok(withAccount.has(name), `${name} has no account_id`)
})

test('every key and index of account data starts with account_id', async () => {
  const rows = await owner<{ name: string; first: string }[]>`
    select indexrelid::regclass::text as name, attname as first from pg_index
    join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid::regclass::text = any (${accountTables})`
  assert.ok(rows.length > 50)
  for (const { name, first } of rows) assert.equal(first, 'account_id', name)
})

/** On a cluster, the coordinator has tables such as `sessions_102060`, which contain the rows. */
const partOfTable = '_\\d{6}$'

test('every foreign key between account data starts with account_id, and none sets null', async () => {
  const rows = await owner<{ name: string; from: string; to: string; first: string; deletes: string }[]>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to, attname as first,
      confdeltype as deletes
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid::regclass::text !~ ${partOfTable}`
  for (const { name, from, to, first, deletes } of rows) {
    assert.notEqual(deletes, 'n', `${name} sets null`)
    if (directoryTables.has(from))
      assert.ok(directoryTables.has(to), `${name} leads from the directory to account data`)
    else assert.equal(first, 'account_id', name)
  }
})

test('there are no triggers, and generated columns are stored', async () => {
  const ofTables = await owner`select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace and relname !~ ${partOfTable}`
  assert.deepEqual([...ofTables], [])
  assert.deepEqual([...(await owner`select attname from pg_attribute where attgenerated not in ('', 's')`)], [])
})

const statements = [...statementsInCode(), ...(await statementsInFunctions())]

test('statements are found', () => assert.ok(statements.length > 250, String(statements.length)))

const rules: Record<string, (text: string) => boolean> = {
  'names the account': (text) => !touchesAccountData(text) || /account|actorIn|where \$\{\w+\}/i.test(text),
  'has no MERGE': (text) => !/\bmerge into\b/.test(text),
  'has no LEFT JOIN LATERAL': (text) => !/\bleft( outer)? join lateral\b/.test(text),
  'inserts selected rows only with RETURNING': (text) =>
    [...text.matchAll(/\binsert into (\S+) (?:\([^)]*\) )?select\b(?=(.*))/g)].every(
      ([, table, rest]) => directoryTables.has(table!) || /\breturning\b/.test(statementIn(rest!)),
    ),
  'updates on conflict with columns, excluded and parameters': (text) =>
    [...text.matchAll(/\bdo update set (?=(.*))/g)].every(([, rest]) => isPlain(statementIn(rest!))),
  'returns columns and parameters': (text) =>
    [...text.matchAll(/\breturning (?=(.*))/g)].every(([, rest]) => isPlain(statementIn(rest!))),
}

for (const [rule, holds] of Object.entries(rules)) {
  test(`every statement ${rule}`, () => {
    const broken = statements.filter(
      ({ text }) => !holds(text) && !Object.keys(known).some((part) => text.includes(part)),
    )
    assert.deepEqual(broken, [])
  })
}

test('errors are distinguished by SQLSTATE alone', () => {
  for (const file of sources()) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(constraint_name|table_name|column_name)\b/, file)
  }
})

test('every known exception is still needed', () => {
  const broken = statements.filter(({ text }) => Object.values(rules).some((holds) => !holds(text)))
  for (const part of Object.keys(known))
    assert.ok(
      broken.some(({ text }) => text.includes(part)),
      part,
    )
})

function touchesAccountData(text: string): boolean {
  const named = text.matchAll(/\b(?:from|join|into|update) (\w+)/g)
  return [...named].some(([, name]) => accountTables.includes(name!))
}

/** The text to the end of the statement, which may be one of several in a WITH. */
function statementIn(text: string): string {
  const plain = text.replaceAll(/\$\{[^}]*\}/g, '?')
  let depth = 0
  for (let at = 0; at < plain.length; at++) {
    if (plain[at] === '(') depth++
    else if (plain[at] === ')' && --depth < 0) return plain.slice(0, at)
  }
  return plain
}

/** No call, no sub-select. */
const isPlain = (text: string) => !/\(|\bcase\b|\bselect\b/.test(text)

function sources(): string[] {
  const server = join(import.meta.dirname, '../server')
  return globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] }).map((file) => join(server, file))
}

/** Tagged templates that are statements, with the templates within them. */
function statementsInCode(): { place: string; text: string }[] {
  return sources().flatMap((file) =>
    templatesIn(readFileSync(file, 'utf8'))
      .map((text) => ({ place: file, text: oneLine(text) }))
      .filter(({ text }) => /^(select|insert|update|delete|with|merge)\b/.test(text)),
  )
}

function oneLine(text: string): string {
  return text
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The outermost template literals of a source, each with the nested ones. */
function templatesIn(source: string): string[] {
  const found: string[] = []
  const open: ('`' | '{')[] = []
  let start = 0
  for (let at = 0; at < source.length; at++) {
    const isText = open.at(-1) === '`'
    if (isText && source[at] === '\\') at++
    else if (source[at] === '`' && isText) {
      open.pop()
      if (open.length === 0) found.push(source.slice(start, at))
    } else if (source[at] === '`') {
      if (open.length === 0) start = at + 1
      open.push('`')
    } else if (isText && source.startsWith('${', at)) {
      open.push('{')
      at++
    } else if (!isText && open.length > 0 && source[at] === '{') open.push('{')
    else if (!isText && source[at] === '}') open.pop()
  }
  return found
}

async function statementsInFunctions(): Promise<{ place: string; text: string }[]> {
  const rows = await owner<{ name: string; body: string }[]>`select proname as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace`
  return rows.flatMap(({ name, body }) =>
    body.split(';').map((text) => ({ place: `function ${name}`, text: oneLine(text) })),
  )
}
