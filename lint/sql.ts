/** Checks the statements of the service and of its SQL functions: docs/reference/sql.md. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { directoryTables } from '../server/platform/database/cluster/placement.ts'
import { type Problem, report, root } from './problems.ts'

/** Statements that break a rule, by a text that only they contain, with the reason. They change when accounts are spread. */
const known: Record<string, string> = {
  'insert into delivery_contacts': 'hashes the contacts in the database, and does not need what it inserted',
  'insert into api_key_uses': 'writes the last uses of many keys at once, and does not need what it inserted',
  'insert into distribution_turns': 'starts the round robin of a rule within a function',
}

interface Statement {
  file: string
  line: number
  text: string
}

const files = globSync('{operations,server}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort()
const migrations = globSync('server/platform/database/migrations/*.sql', { cwd: root }).sort()
const functions = globSync('server/platform/database/schema/functions/*.sql', { cwd: root }).sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const accountTables = new Set(
  migrations
    .flatMap((file) => [...read(file).matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name))
    .filter((name) => !directoryTables.has(name)),
)

const rules: Record<string, (text: string) => boolean> = {
  'name the account in each statement': (text) =>
    !touchesAccountData(text) || /account|actorIn|where \$\{\w+\}/i.test(text),
  'write no MERGE': (text) => !/\bmerge into\b/.test(text),
  'write no LEFT JOIN LATERAL': (text) => !/\bleft( outer)? join lateral\b/.test(text),
  'insert selected rows only with RETURNING': (text) =>
    [...text.matchAll(/\binsert into (\S+) (?:\([^)]*\) )?select\b(?=(.*))/g)].every(
      ([, table, rest]) => directoryTables.has(table!) || /\breturning\b/.test(statementIn(rest!)),
    ),
  'update on conflict only with columns, excluded and parameters': (text) =>
    [...text.matchAll(/\bdo update set (?=(.*))/g)].every(([, rest]) => isPlain(statementIn(rest!))),
  'return only columns and parameters': (text) =>
    [...text.matchAll(/\breturning (?=(.*))/g)].every(([, rest]) => isPlain(statementIn(rest!))),
}

const used = new Set<string>()
const problems: Problem[] = []
for (const { file, line, text } of [...files.flatMap(statementsInCode), ...statementsInFunctions()])
  for (const [rule, isKept] of Object.entries(rules)) {
    if (isKept(text)) continue
    const exception = Object.keys(known).find((part) => text.includes(part))
    if (exception) used.add(exception)
    else problems.push({ file, line, message: `${rule}: ${text.slice(0, 80)}` })
  }
for (const part of Object.keys(known))
  if (!used.has(part))
    problems.push({ file: 'lint/sql.ts', line: 1, message: `remove the exception that no statement needs: ${part}` })
for (const file of files)
  for (const [at, text] of read(file).split('\n').entries())
    if (/\b(constraint_name|table_name|column_name)\b/.test(text))
      problems.push({
        file,
        line: at + 1,
        message: 'distinguish errors by SQLSTATE alone: names are empty on a cluster',
      })
report(problems)

function touchesAccountData(text: string): boolean {
  const named = text.matchAll(/\b(?:from|join|into|update) (\w+)/g)
  return [...named].some(([, name]) => accountTables.has(name!))
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
function isPlain(text: string): boolean {
  return !/\(|\bcase\b|\bselect\b/.test(text)
}

function oneLine(text: string): string {
  return text
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function lineAt(source: string, at: number): number {
  return source.slice(0, at).split('\n').length
}

/** Tagged templates that are statements, with the templates within them. */
function statementsInCode(file: string): Statement[] {
  const source = read(file)
  return templatesIn(source)
    .map(({ at, text }) => ({ file, line: lineAt(source, at), text: oneLine(text) }))
    .filter(({ text }) => /^(select|insert|update|delete|with|merge)\b/.test(text))
}

/** The outermost template literals of a source, each with the nested ones. */
function templatesIn(source: string): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = []
  const open: ('`' | '{')[] = []
  let start = 0
  for (let at = 0; at < source.length; at++) {
    const isText = open.at(-1) === '`'
    if (isText && source[at] === '\\') at++
    else if (source[at] === '`' && isText) {
      open.pop()
      if (open.length === 0) found.push({ at: start, text: source.slice(start, at) })
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

function statementsInFunctions(): Statement[] {
  return functions.flatMap((file) => {
    const source = read(file)
    const [, body = ''] = /\$\$([\s\S]*)\$\$/.exec(source) ?? []
    let at = source.indexOf(body)
    return body.split(';').map((text) => {
      const line = lineAt(source, at + text.search(/\S|$/))
      at += text.length + 1
      return { file, line, text: oneLine(text) }
    })
  })
}
