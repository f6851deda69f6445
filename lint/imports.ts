/** Checks what each file imports: the table "What each slice may import" in ARCHITECTURE.md, and the rules below it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Problem, report, root } from './problems.ts'

/** Files of rules, in server/: no SQL, no HTTP, no files. */
const pure = [
  'availability/availability.ts',
  'availability/hours.ts',
  'calls/join-events.ts',
  'distribution/assign.ts',
  'distribution/choose-assignee.ts',
  'distribution/reasons.ts',
  'distribution/replay-leads.ts',
  'distribution/share-evenly.ts',
  'distribution/take-turn.ts',
  'duplicates/choose-fields.ts',
  'duplicates/join-fields.ts',
  'duplicates/likeness.ts',
  'http/csv.ts',
  'http/date-window.ts',
  'http/instants.ts',
  'http/ip-list.ts',
  'http/validation-message.ts',
  'http/written-time.ts',
  'lead-import/column-names.ts',
  'lead-import/columns.ts',
  'lead-import/file-layout.ts',
  'lead-import/known-values.ts',
  'lead-import/read-csv.ts',
  'lead-import/read-row.ts',
  'lead-import/read-time.ts',
  'lead-import/row-call.ts',
  'lead-import/row-draft.ts',
  'lead-import/sheet-dates.ts',
  'lead-import/surplus-cells.ts',
  'contacts/contact.ts',
  'contacts/contract.ts',
  'contacts/hide-contacts.ts',
  'contacts/written-contact.ts',
  'leads/merge-lead.ts',
  'leads/reminder-times.ts',
  'leads/search-terms.ts',
  'mail/email.ts',
  'mail/mail-settings.ts',
  'notifications/messages.ts',
  'notifications/next-reminder.ts',
  'notifications/next-step.ts',
  'notifications/quiet-hours.ts',
  'overview/by-day.ts',
  'overview/silence.ts',
  'pass-on/next-pass-on.ts',
  'payload/call/call-values.ts',
  'payload/call/call-words.ts',
  'payload/lead-builder.ts',
  'payload/map-payload.ts',
  'payload/read-body.ts',
  'payload/structure/*.ts',
  'phone-lines/line-key.ts',
  'quick-replies/placeholders.ts',
  'reports/csv.ts',
  'reports/period.ts',
  'ringing/concerned-users.ts',
  'ringing/last-note.ts',
  'sign-in/link-email.ts',
  'sign-in/sign-in-problems.ts',
  'timeline/sentence-pattern.ts',
  'timeline/summaries.ts',
  'timeline/summary-texts.ts',
  'timeline/translate-summary.ts',
  'webhooks/deliveries/decide.ts',
]

/** The environment is read in this file, and by the embedded database, which passes it on. */
const readsEnvironment = /^server\/(commands\/open\.ts$|database\/embedded\/)/

const architecture = 'ARCHITECTURE.md'
const heading = '## What each slice may import'

interface Import {
  line: number
  name: string
  /** The file in the repository; null for a package. */
  target: string | null
  /** Imported when it is needed. */
  isLazy: boolean
}

interface Row {
  line: number
  may: string[]
}

const problems: Problem[] = []
const imports = new Map<string, Import[]>()
const table = readTable()
const filesIn = (pattern: string) => globSync(pattern, { cwd: root }).sort()
const isProgram = (file: string) => !/\.test\.tsx?$/.test(file)
const server = filesIn('server/**/*.ts').filter(isProgram)
const web = filesIn('web/**/*.{ts,tsx}').filter(isProgram)

checkTable()
for (const file of server) {
  checkSlice(file)
  checkEnvironment(file)
}
for (const file of server.filter((file) => /\/contract\.ts$|^server\/leads\/fields\.ts$/.test(file)))
  checkContract(file)
for (const name of pure) checkPure(name)
for (const file of web) checkWeb(file)
checkCycles()
report(problems)

/** Reads rows such as "| `calls` | `http`, `leads/{counts,list-page}.ts` |". */
function readTable(): Map<string, Row> {
  const rows = new Map<string, Row>()
  const lines = readFileSync(join(root, architecture), 'utf8').split('\n')
  const start = lines.findIndex((line, at) => line.startsWith('|') && lines.lastIndexOf(heading, at) >= 0)
  if (start < 0) add(architecture, 1, `the section "${heading}" with its table is missing: write it again`)
  for (let at = start; start >= 0 && lines[at]!.startsWith('|'); at++) {
    const [, slices = '', others = ''] = lines[at]!.split('|')
    for (const slice of namesIn(slices)) rows.set(slice, { line: at + 1, may: namesIn(others) })
  }
  return rows
}

/** Returns what stands in backticks; `a/{b,c}.ts` are two files. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => {
    const [all, before, choices = '', after] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? []
    return all === undefined ? [name] : choices.split(',').map((choice) => `${before}${choice.trim()}${after}`)
  })
}

function checkTable(): void {
  const slices = new Set(server.filter((file) => file.split('/').length > 2).map(sliceOf))
  for (const slice of slices)
    if (!table.has(slice)) add(architecture, 1, `the table has no row for server/${slice}: add what it may import`)
  for (const [slice, { line, may }] of table) {
    if (!slices.has(slice)) add(architecture, line, `there is no server/${slice}: remove it from the table`)
    for (const name of may)
      if (!existsSync(join(root, 'server', name)))
        add(architecture, line, `there is no server/${name}: remove it from the row of ${slice}`)
  }
}

function checkSlice(file: string): void {
  const slice = file.split('/').length > 2 ? sliceOf(file) : null
  const may = slice === null ? null : (table.get(slice)?.may ?? [])
  for (const { line, target } of importsOf(file)) {
    if (target === null || target === 'package.json') continue
    if (!target.startsWith('server/')) {
      add(file, line, `the service must not import ${target}: move what it needs into server/`)
      continue
    }
    const betweenContracts = [file, target].every((name) => name.endsWith('/contract.ts'))
    if (may === null || [slice, 'languages'].includes(sliceOf(target)) || betweenContracts) continue
    const name = target.slice('server/'.length)
    if (!may.includes(name) && !may.includes(sliceOf(target)))
      add(
        file,
        line,
        `${slice} must not import ${name}: use a slice that it may import, or let the caller pass what it needs. ` +
          `If ${slice} should depend on it, add \`${name}\` to its row in ${architecture}`,
      )
  }
}

function checkEnvironment(file: string): void {
  if (readsEnvironment.test(file)) return
  for (const [index, text] of linesOf(file).entries())
    if (/\bprocess\.env\b/.test(text))
      add(file, index + 1, 'read the environment in server/commands/open.ts, and pass the value on')
}

/** The browser loads contracts. */
function checkContract(file: string): void {
  for (const { line, name } of importsOf(file))
    if (!/^typebox$|\/contract\.ts$|^\.\/fields\.ts$/.test(name))
      add(file, line, `a contract must not import ${name}, because the browser loads it: import typebox or a contract`)
}

function checkPure(name: string): void {
  const files = filesIn(`server/${name}`).filter(isProgram)
  if (files.length === 0) add('lint/imports.ts', 1, `there is no server/${name}: remove it from the files of rules`)
  for (const file of files)
    for (const { line, name } of importsOf(file))
      if (/^(fastify|postgres|node:(fs|child_process|http))$|store\.ts$/.test(name))
        add(file, line, `a file of rules must not import ${name}: let the caller read it, and pass it as an argument`)
}

function checkWeb(file: string): void {
  for (const { line, name, target } of importsOf(file)) {
    if (target === null) {
      if (name.startsWith('node:'))
        add(file, line, `the web app must not import ${name}, which a browser does not have`)
    } else if (!target.startsWith('web/') && !name.startsWith('#contract/')) {
      add(file, line, `the web app must not import ${target}: of the server, import only #contract/<slice>`)
    } else if (file.startsWith('web/ui/') && !target.startsWith('web/ui/') && target !== 'web/api.ts') {
      add(file, line, `web/ui knows nothing about leads, and must not import ${target}: pass it as a property`)
    }
  }
}

/** Also of types. What is imported when it is needed closes no cycle. */
function checkCycles(): void {
  const checked = new Set<string>()
  const follow = (file: string, path: string[]) => {
    checked.add(file)
    for (const { line, target, isLazy } of importsOf(file)) {
      if (target === null || isLazy || !/\.tsx?$/.test(target)) continue
      const at = [...path, file].indexOf(target)
      if (at >= 0) {
        const cycle = [...path, file].slice(at)
        add(file, line, `${[...cycle, target].join(' imports ')}: move what both need to a third file`)
      } else if (!checked.has(target)) follow(target, [...path, file])
    }
  }
  for (const file of filesIn('{server,web}/**/*.{ts,tsx}')) if (!checked.has(file)) follow(file, [])
}

function importsOf(file: string): Import[] {
  if (!imports.has(file)) imports.set(file, readImports(file))
  return imports.get(file)!
}

function readImports(file: string): Import[] {
  const text = textOf(file)
  const found = text.matchAll(
    /^(?:import|export)\b[^'"]*?from ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/dgms,
  )
  return [...found].map((match) => {
    const group = [1, 2, 3].find((group) => match[group] !== undefined)!
    const name = match[group]!
    const line = text.slice(0, match.indices![group]![0]).split('\n').length
    return { line, name, target: targetOf(file, name), isLazy: group === 3 }
  })
}

function targetOf(file: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(file), name)
  const [, kind, rest] = /^#(contract|test)\/(.+)$/.exec(name) ?? []
  if (kind === 'contract') return `server/${rest}/contract.ts`
  return kind === 'test' ? `test/${rest}` : null
}

function sliceOf(file: string): string {
  return file.split('/')[1]!
}

function textOf(file: string): string {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
}

function linesOf(file: string): string[] {
  return textOf(file).split('\n')
}

function add(file: string, line: number, message: string): void {
  problems.push({ file, line, message })
}
