import { basename } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Account, activeUserByEmail, readAccount } from '../../server/access/account/users.ts'
import { fieldLabel, maxTagLength, maxTagsAtOnce } from '../../server/crm/leads/contract.ts'
import { withDateOrders } from '../../server/intake/lead-import/columns.ts'
import {
  type ImportColumn,
  type ImportCounts,
  type ImportPreview,
  type RowWarning,
  type SharedContact,
  textOfKind,
  type WarningGroup,
  type WarningKind,
} from '../../server/intake/lead-import/contract.ts'
import { importRows } from '../../server/intake/lead-import/import-leads.ts'
import { defaultSource, type ImportPlan, ownNumbersOf } from '../../server/intake/lead-import/import-plan.ts'
import { type LeadFile, openLeadFile } from '../../server/intake/lead-import/lead-file.ts'
import { previewImport } from '../../server/intake/lead-import/preview-import.ts'
import { openImport } from '../../server/intake/lead-import/progress-record.ts'
import { openRowFile } from '../../server/intake/lead-import/rejected-file.ts'
import { warningGroups } from '../../server/intake/lead-import/warning-groups.ts'
import type { Actor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { abortOnSignals } from './abort-on-signals.ts'
import { accountNamed, accountOption } from './actors.ts'
import { withInstallation } from './open.ts'
import { command, list, print, table } from './output.ts'
import { noProgress, showProgress } from './progress.ts'

interface Options {
  account?: string
  owner?: string
  tags?: string[]
  source?: string
  sheet?: string
  header?: number
  dryRun?: true
  json?: true
}

export function importCommand(): Command {
  return command('import', 'import leads and calls from a CSV or XLSX file')
    .argument('<file>')
    .option(...accountOption)
    .option('--owner <email>', 'owner of leads whose row names none, instead of the distribution rules')
    .option('--tags <tags>', 'tags for every lead, separated by commas', list)
    .option('--source <label>', 'source of leads whose row names none (default: CSV import or Excel import)')
    .option('--sheet <name>', 'sheet of a workbook (default: the first one with leads)')
    .option('--header <row>', 'row with the column names, 0 if there is none (default: it is found)', rowNumber)
    .addOption(new Option('--dry-run', 'change nothing, and show what would be done'))
    .action(async (path: string, options: Options) => {
      await withInstallation(async ({ database }) => {
        const actor = await accountNamed(database, options.account)
        const account = await readAccount(database, actor.account_id)
        const { sheet, header } = options
        const file = await openLeadFile({ path, account, layout: { sheet, header } }).catch((error) => {
          throw (error as { code?: string }).code === 'ENOENT' ? new Error(`There is no file ${path}.`) : error
        })
        try {
          const own = await ownNumbersOf(database, actor)
          const plan = await planOf({ account, actor, file, own, options })
          if (options.dryRun) showPreview(await previewImport(database, plan, file), options)
          else await runImport({ database, path, plan, file, options })
        } finally {
          file.close()
        }
      })
    })
}

function rowNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Write the number of a row, or 0.')
  return Number(text)
}

type Given = { account: Account; actor: Actor; file: LeadFile; own: string[]; options: Options }

async function planOf({ account, actor, file, own, options }: Given): Promise<ImportPlan> {
  const { owner, tags = [], source = defaultSource(file.format) } = options
  const user = owner === undefined ? undefined : activeUserByEmail(account, owner)
  if (owner !== undefined && !user) throw new Error(`--owner: ${owner} is not an active user of this account.`)
  if (tags.length > maxTagsAtOnce) throw new Error(`--tags: at most ${maxTagsAtOnce} tags.`)
  if (tags.some((tag) => tag.length > maxTagLength))
    throw new Error(`--tags: at most ${maxTagLength} characters in a tag.`)
  if (source.trim() === '' || source.length > 200) throw new Error('--source: 1 to 200 characters.')
  const columns = withDateOrders(await file.recognise(true), file.dates)
  if (!columns.some(({ field }) => ['phone', 'email', 'other_contacts', 'call_from', 'call_to'].includes(field))) {
    throw new Error(`No column holds phones or emails. The columns are: ${file.names.join(', ')}.`)
  }
  return {
    columns,
    own,
    chosen: new Map(),
    account,
    actor,
    assignment: { byRules: !user, otherwise: user?.id ?? null },
    sender: 'an import on the command line',
    source: source.trim(),
    tags,
    now: new Date(),
  }
}

interface Run {
  database: Database
  path: string
  plan: ImportPlan
  file: LeadFile
  options: Options
}

async function runImport({ database, path, plan, file, options }: Run): Promise<void> {
  const opened = await openImport(database, plan, file, basename(path))
  const { record } = opened
  const stopping = abortOnSignals()
  const progress = options.json ? noProgress : showProgress(file.rows, 'rows')
  const rejectedFile = await openRowFile(path, file.names, 'rejected')
  const warned = new WarnedFiles(path, file.names)
  const started = performance.now()
  let counts: ImportCounts = { read: 0, created: 0, merged: 0, rejected: 0, calls: 0 }
  const warnings = warningGroups()
  const shared: SharedContact[] = []
  try {
    for await (const event of importRows(database, opened, stopping.signal)) {
      if (event.type === 'rejected') await rejectedFile.add(event)
      else if (event.type === 'shared') shared.push(event)
      else if (event.type === 'warned') {
        warnings.add(event.line, event.warnings)
        await warned.add(event)
      } else if (event.type !== 'started') {
        const { type, ...after } = event
        counts = after
        progress.at(counts.read)
        if (type === 'stopped') throw new Error('It was stopped.')
      }
    }
  } catch (error) {
    await Promise.all([rejectedFile.discard(), warned.discard()])
    const reason = (error as Error).message
    throw new Error(`${reason} ${counts.read} rows are imported. Run the same command again for the rest.`, {
      cause: error,
    })
  } finally {
    progress.end()
    stopping.end()
  }
  const { created, merged, calls, rejected } = counts
  const [rejected_file, warned_files] = await Promise.all([rejectedFile.close(), warned.close()])
  const seconds = Math.round((performance.now() - started) / 100) / 10
  const { sheet, header } = file.layout
  const result = {
    sheet,
    header,
    created,
    merged,
    rejected,
    rejected_file,
    warned_files,
    calls,
    continued_after: record.rows_done,
    seconds,
  }
  print(options, result, () =>
    [
      ...(record.rows_done > 0 ? [`Continued after row ${count(record.rows_done)}.`] : []),
      `${count(created)} leads created, ${count(merged)} rows merged, ${count(calls)} calls added, ${count(rejected)} rows rejected, in ${seconds} s.`,
      ...(rejected_file === null ? [] : [`Rejected rows with reasons: ${rejected_file}`]),
      ...layoutLines(file.layout),
      '',
      columnTable(plan.columns),
      ...sharedLines(shared),
      ...warningLines(warnings.result()),
      ...warned_files.map((name) => `Rows with warnings: ${name}`),
    ].join('\n'),
  )
}

function showPreview(preview: ImportPreview, options: Options): void {
  const { rows, imported, created, merged, calls, rejected, columns, rejected_rows, warned, warnings } = preview
  const { unknown_values, shared_contacts, sheet, header } = preview
  const result = {
    dry_run: true,
    sheet,
    header,
    rows,
    imported,
    created,
    merged,
    rejected,
    rejected_file: null,
    calls,
    warned,
    columns,
    warnings,
    unknown_values: unknown_values.map(({ field, value, rows }) => ({ field, value, rows })),
  }
  const rejections = rejected_rows.map(({ line, reason }) => ({ line, reason }))
  print(options, { ...result, shared_contacts, rejected_rows: rejections }, () =>
    [
      `Nothing is changed. Of ${count(rows)} rows, ${imported > 0 ? `${count(imported)} are already imported, by an import that was interrupted; ` : ''}${count(created)} would create a lead, ${count(merged)} would merge, ${count(rejected)} would be rejected. ${count(calls)} calls would be added.`,
      ...layoutLines(preview),
      '',
      columnTable(columns),
      ...sharedLines(shared_contacts),
      ...firstOf(
        'Rejected',
        rejections.map(({ line, reason }) => `  line ${line}: ${reason}`),
        rejected,
      ),
      ...firstOf(
        'Values that are not known',
        unknown_values.map(({ field, value, rows }) => `  ${fieldLabel(field)} “${value}”: ${count(rows)} rows`),
        unknown_values.length + preview.other_unknown_values,
      ),
      ...warningLines(warnings),
    ].join('\n'),
  )
}

const sharedLines = (shared: SharedContact[]) =>
  firstOf(
    'Shared by rows with different names, which become one lead',
    shared.map(({ contact, rows, lines }) => `  ${contact}: ${count(rows)} rows, first lines ${lines.join(', ')}`),
    shared.length,
  )

function layoutLines({
  sheets,
  sheet,
  header_reason,
}: Pick<ImportPreview, 'sheets' | 'sheet' | 'header_reason'>): string[] {
  const others = sheets.filter((name) => name !== sheet)
  const read = others.length > 0 ? `Sheet “${sheet}” is read. Others, for --sheet: ${others.join(', ')}.` : ''
  return [read, header_reason ? `${header_reason} Choose another with --header.` : ''].filter(Boolean)
}

const maxLines = 20

function firstOf(title: string, lines: string[], total: number): string[] {
  if (total === 0) return []
  const more = total - Math.min(lines.length, maxLines)
  return ['', `${title}:`, ...lines.slice(0, maxLines), ...(more > 0 ? [`  and ${count(more)} more`] : [])]
}

function columnTable(columns: ImportColumn[]): string {
  const rows = columns.map(({ name, field, reason }) => {
    return { Column: name, Field: field === 'ignore' ? '-' : fieldLabel(field), Reason: reason }
  })
  return table(rows, '')
}

function warningLines(groups: WarningGroup[]): string[] {
  const lines = groups.flatMap(({ rows, examples }) => [
    `  ${count(rows)} rows, such as`,
    ...examples.slice(0, 3).map(({ line, text }) => `    line ${line}: ${text}`),
  ])
  return lines.length > 0 ? ['', 'Warnings:', ...lines] : []
}

/** The files of rows with warnings, one for each kind. */
class WarnedFiles {
  readonly #files = new Map<WarningKind, Awaited<ReturnType<typeof openRowFile>>>()
  readonly #path: string
  readonly #names: string[]

  constructor(path: string, names: string[]) {
    this.#path = path
    this.#names = names
  }

  async add({ warnings, cells }: { warnings: RowWarning[]; cells: string[] }): Promise<void> {
    for (const kind of new Set(warnings.map((warning) => warning.kind))) {
      const file = this.#files.get(kind) ?? (await openRowFile(this.#path, this.#names, kind))
      this.#files.set(kind, file)
      await file.add({ reason: textOfKind(warnings, kind), cells })
    }
  }

  close = async (): Promise<string[]> =>
    (await Promise.all([...this.#files.values()].map((file) => file.close()))).filter((name) => name !== null)
  discard = () => Promise.all([...this.#files.values()].map((file) => file.discard()))
}

const count = (n: number) => n.toLocaleString('en-IN')
