import { t } from '@lingui/core/macro'
import type { ImportEvent, ImportPreview, RowKind } from '#contract/intake/lead-import'
import { ApiProblem, type Data, send } from '../../platform/api/api.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import type { ImportField } from './fields.ts'
import { isWorkbook } from './file-checks.ts'

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Fields by column name; other columns are ignored. Undefined: as the server recognises them. */
export type Columns = Record<string, ImportField> | undefined

/** The sheet of a workbook and the row with the column names, 0 if there is none. By default the server finds them. */
export interface Layout {
  sheet?: string
  header?: number
}

/** For all rows. */
export interface RowDefaults {
  source: string
  /** The email of the owner of rows that name none; empty for the distribution rules, or the user. */
  owner: string
  tags: string[]
}

interface Settings extends RowDefaults {
  columns: Columns
  layout: Layout
  /** What values are that the account does not have, by their ids. */
  values: Record<string, string>
}

export const previewKey = ['lead-import', 'preview']

export async function previewFile(file: File, settings: Settings, signal: AbortSignal): Promise<ImportPreview> {
  const response = await sendFile(file, { dry_run: true, ...asQuery(settings) }, signal)
  return ((await response.json()) as Data<ImportPreview>).data
}

/** The rows that a dry run rejects, or has a kind of warning for, as CSV. */
export async function rowsOf(file: File, settings: Settings, kind: RowKind): Promise<string> {
  const response = await sendFile(
    file,
    { dry_run: true, rows_of: kind, ...asQuery(settings) },
    new AbortController().signal,
  )
  return response.text()
}

/** The events of a running import. Ends without `done` or `stopped` if the connection is lost. */
export async function* importFile(file: File, settings: Settings, signal: AbortSignal): AsyncGenerator<ImportEvent> {
  const response = await sendFile(file, asQuery(settings), signal)
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as ImportEvent
  }
}

const asQuery = ({ columns, layout, values, source, owner, tags }: Settings) => ({
  source: source.trim(),
  owner,
  tags,
  ...layout,
  ...(columns && named(columns)),
  ...(Object.keys(values).length > 0 && { values: JSON.stringify(values) }),
})

/** Names the columns that are not what most of the others are: the URL of a wide file would be too long. */
function named(columns: NonNullable<Columns>) {
  const all = Object.entries(columns)
  const count = (wanted: ImportField) => all.filter(([, field]) => field === wanted).length
  const others = count('answer') > count('ignore') ? 'answer' : 'ignore'
  return { others, columns: JSON.stringify(Object.fromEntries(all.filter(([, field]) => field !== others))) }
}

async function sendFile(
  file: File,
  query: Record<string, string | number | boolean | string[]>,
  signal: AbortSignal,
): Promise<Response> {
  // A file that was changed on disk meanwhile cannot be sent, which would look like a lost connection.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new ApiProblem(400, { code: 'FILE_CHANGED', message: t`The file has changed. Choose it again.` })
    })
  const name = file.name.replace(/\p{C}/gu, '').slice(0, 255)
  return send(`/web/leads/import${stringifySearch({ ...query, file: name })}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': isWorkbook(file) ? workbook : 'text/csv' },
    signal,
  })
}
