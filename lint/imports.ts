/** Checks what each file imports: an area imports itself and the areas before it (ARCHITECTURE.md). */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Problem, report, root } from './problems.ts'

/** The folders of server/ and web/, in the order in which they import: each may import those before it. */
const areas = ['platform', 'access', 'crm', 'telephony', 'intake', 'selling', 'setup', 'insight']

/** Files of rules, in server/: no SQL, no HTTP, no files. */
const pure = [
  'access/sign-in/link-email.ts',
  'access/sign-in/sign-in-problems.ts',
  'crm/availability/availability.ts',
  'crm/availability/hours.ts',
  'crm/contacts/contact.ts',
  'crm/contacts/contract.ts',
  'crm/contacts/hold-contact.ts',
  'crm/contacts/parse-contact.ts',
  'crm/distribution/assign.ts',
  'crm/distribution/choose-assignee.ts',
  'crm/distribution/reasons.ts',
  'crm/distribution/replay-leads.ts',
  'crm/distribution/share-evenly.ts',
  'crm/distribution/take-turn.ts',
  'crm/duplicates/choose-fields.ts',
  'crm/duplicates/join-fields.ts',
  'crm/duplicates/likeness.ts',
  'crm/enquiries/contract.ts',
  'crm/enquiries/enquiry.ts',
  'crm/leads/indian-spellings.ts',
  'crm/leads/merge-lead.ts',
  'crm/leads/next-step.ts',
  'crm/leads/reminder-times.ts',
  'crm/leads/retry-at.ts',
  'crm/leads/search-terms.ts',
  'crm/leads/unseen-lead.ts',
  'crm/timeline/sentence-pattern.ts',
  'crm/timeline/summaries.ts',
  'crm/timeline/summary-texts.ts',
  'crm/timeline/translate-summary.ts',
  'insight/overview/by-day.ts',
  'insight/reports/tables.ts',
  'insight/reports/period.ts',
  'insight/weekly-email/message.ts',
  'intake/lead-import/column-names.ts',
  'intake/lead-import/columns.ts',
  'intake/lead-import/file-layout.ts',
  'intake/lead-import/known-values.ts',
  'intake/lead-import/read-csv.ts',
  'intake/lead-import/read-row.ts',
  'intake/lead-import/read-time.ts',
  'intake/lead-import/row-call.ts',
  'intake/lead-import/row-draft.ts',
  'intake/lead-import/sheet-dates.ts',
  'intake/lead-import/surplus-cells.ts',
  'intake/lead-import/take-back.ts',
  'intake/payload/call/call-values.ts',
  'intake/payload/call/call-words.ts',
  'intake/payload/lead-builder.ts',
  'intake/payload/map-payload.ts',
  'intake/payload/read-body.ts',
  'intake/payload/structure/*.ts',
  'intake/webhooks/deliveries/decide.ts',
  'intake/webhooks/silence.ts',
  'platform/http/csv.ts',
  'platform/http/date-window.ts',
  'platform/http/instants.ts',
  'platform/http/ip-list.ts',
  'platform/http/validation-message.ts',
  'platform/http/parse-time.ts',
  'platform/mail/email.ts',
  'platform/mail/mail-settings.ts',
  'selling/call-queue/order-queue.ts',
  'selling/notifications/messages.ts',
  'selling/notifications/next-reminder.ts',
  'selling/notifications/next-step.ts',
  'selling/notifications/quiet-hours.ts',
  'selling/pass-on/next-pass-on.ts',
  'telephony/calls/join-events.ts',
  'telephony/phone-lines/line-key.ts',
  'telephony/quick-replies/placeholders.ts',
  'telephony/ringing/concerned-users.ts',
  'telephony/ringing/last-note.ts',
]

/** The environment is read in this file, and by the embedded database, which passes it on. */
const readsEnvironment = /^operations\/(commands\/open\.ts$|embedded\/)/

interface Import {
  line: number
  name: string
  /** The file in the repository; null for a package. */
  target: string | null
  /** Imported when it is needed. */
  isLazy: boolean
}

const problems: Problem[] = []
const imports = new Map<string, Import[]>()
const filesIn = (pattern: string) => globSync(pattern, { cwd: root }).sort()
const isProgram = (file: string) => !/\.test\.tsx?$/.test(file)
const operations = filesIn('operations/**/*.ts').filter(isProgram)
const server = filesIn('server/**/*.ts').filter(isProgram)
const web = filesIn('web/**/*.{ts,tsx}').filter(isProgram)

checkFolders()
for (const file of [...operations, ...server, ...web]) checkDirection(file)
for (const file of [...operations, ...server]) checkEnvironment(file)
for (const file of [...operations, ...server].filter((file) => /\/contract\.ts$|\/leads\/fields\.ts$/.test(file)))
  checkContract(file)
for (const name of pure) checkPure(name)
for (const file of web) checkWeb(file)
checkCycles()
report(problems)

/** Each folder is an area, and a slice of both sides is in the same one. */
function checkFolders(): void {
  for (const file of [...server, ...web]) {
    const [side, folder] = file.split('/')
    if (areaOf(file) === null && file.split('/').length > 2 && !file.startsWith('web/frame/'))
      add(file, 1, `${side}/${folder} is no area: put it into one of ${areas.join(', ')}`)
  }
  const areaOfSlice = new Map(server.map((file) => [sliceOf(file), areaOf(file)]))
  for (const file of web) {
    const area = areaOfSlice.get(sliceOf(file))
    if (sliceOf(file) !== null && area !== undefined && area !== areaOf(file))
      add(file, 1, `the slice is in server/${area}: put it into web/${area}`)
  }
}

/** What is in no area imports all areas: app.ts and its settings, operations, and the frame of the web app. */
function checkDirection(file: string): void {
  const [side] = file.split('/')
  const area = areaOf(file)
  for (const { line, target } of importsOf(file)) {
    if (target === null || target === 'package.json') continue
    const ofOperations = target.startsWith('operations/')
    if (side === 'web' ? !/^(web|server|operations)\//.test(target) : !/^(server|operations)\//.test(target))
      add(file, line, `${side} must not import ${target}: move what it needs into ${side}`)
    else if (side === 'server' && ofOperations)
      add(file, line, `the service must not import ${target}: let who builds the app pass what it needs`)
    else if (area !== null && !ofOperations && rankOf(target) > rankOf(file))
      add(
        file,
        line,
        `${area} must not import ${target}: areas import those before them (${areas.join(', ')}). ` +
          'Move the file, or let the caller pass what it needs',
      )
  }
}

function checkEnvironment(file: string): void {
  if (readsEnvironment.test(file)) return
  for (const [index, text] of linesOf(file).entries())
    if (/\bprocess\.env\b/.test(text))
      add(file, index + 1, 'read the environment in operations/commands/open.ts, and pass the value on')
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
      add(file, line, `the web app must not import ${target}: of the server, import only #contract/<area>/<slice>`)
    } else if (
      file.startsWith('web/platform/ui/') &&
      !/^(web\/platform\/(ui|api)|server\/platform\/\w+)\//.test(target)
    ) {
      add(file, line, `web/platform/ui knows nothing about leads, and must not import ${target}: pass it as a property`)
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
  for (const file of filesIn('{operations,server,web}/**/*.{ts,tsx}')) if (!checked.has(file)) follow(file, [])
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
  const [, kind, rest = ''] = /^#(contract|test)\/(.+)$/.exec(name) ?? []
  if (kind === 'contract') return `${rest.startsWith('operations/') ? '' : 'server/'}${rest}/contract.ts`
  return kind === 'test' ? `test/${rest}` : null
}

/** Null for what is in no area. */
function areaOf(file: string): string | null {
  const [side, area = ''] = file.split('/')
  return side !== 'operations' && areas.includes(area) ? area : null
}

/** Null for what is in no slice, as the files beside `app.ts`. */
function sliceOf(file: string): string | null {
  const [, area, slice, ...rest] = file.split('/')
  return areas.includes(area!) && rest.length > 0 ? slice! : null
}

/** What is in no area comes after all of them. */
function rankOf(file: string): number {
  const area = areaOf(file)
  return area === null ? areas.length : areas.indexOf(area)
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
