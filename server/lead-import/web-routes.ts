import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { accountOf } from '../accounts/people.ts'
import type { WebCaller } from '../accounts/require-session.ts'
import { recordAudit } from '../audit/record.ts'
import { asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { readPatiently } from '../http/patient-body.ts'
import { forbidden, invalid, Refusal } from '../http/problem.ts'
import { columnNames, columnsByHand, recogniseColumns } from './columns.ts'
import { ImportQuery } from './contract.ts'
import { importLeads, tryImport } from './import-leads.ts'
import { type CsvRow, decodeText, readCsv } from './read-csv.ts'
import type { ImportPlan } from './read-row.ts'

const mostBytes = 20 * 1024 * 1024
const mostColumns = 200
/** Recognition looks at so many rows. */
const firstRows = 50

/** Leads from a file, for Admins and Managers. */
export const leadImportRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async ({ webCaller }) => {
      if (webCaller.person.role === 'Agent') {
        throw forbidden('PERMISSION_DENIED', 'Only Admins and Managers may import leads.')
      }
    })
    app.addContentTypeParser('text/csv', (request: FastifyRequest, payload: IncomingMessage) =>
      readFile(readPatiently(payload, request.server.server.requestTimeout)),
    )

    app.post('/leads/import', { schema: { querystring: ImportQuery } }, async (request, reply) => {
      const { webCaller, query } = request
      if (!(request.body instanceof Uint8Array)) throw invalid('Send the file as text/csv.')
      const { plan, rows } = await planOf(database, webCaller, request.body, query, clock())
      if (query.dry_run === 'true') return { data: await tryImport(database, plan, rows) }
      await asActor(database, webCaller, (tx) =>
        recordAudit(tx, webCaller, 'leads.imported', null, { rows: rows.length }),
      )
      const news = importLeads(database, plan, rows, (err) => request.log.error({ err }, 'an import ended early'))
      return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(asLines(news)))
    })
  }

async function planOf(database: Database, caller: WebCaller, bytes: Uint8Array, query: ImportQuery, now: Date) {
  const [header, ...rows] = await rowsOf(decodeText(bytes).replace(/^\u{FEFF}/u, ''))
  if (!header || rows.length === 0) {
    throw invalid('The file holds no leads: it needs a line of column names, then a line for each lead.')
  }
  if (header.cells.length > mostColumns) throw invalid(`The file may have at most ${mostColumns} columns.`)
  const account = await accountOf(database, caller.account_id)
  const names = columnNames(header)
  const columns =
    query.columns === undefined
      ? recogniseColumns(names, rows.slice(0, firstRows), account.country)
      : columnsByHand(names, query.columns)
  if (!columns) throw invalid('columns must be a JSON object of column names in the file and lead fields.', 'columns')
  const sender = `an import by ${caller.person.name}`
  const plan: ImportPlan = { columns, account, actor: caller, sender, source: query.source ?? 'CSV import', now }
  return { plan, rows }
}

/** Lets others have their turn meanwhile. */
async function rowsOf(text: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for (const row of readCsv(text)) if (rows.push(row) % 1000 === 0) await setImmediate()
  return rows
}

async function readFile(payload: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of payload) {
    size += piece.length
    // Read to its end all the same, up to a point: who is still sending does not hear the answer.
    if (size > 3 * mostBytes) break
    if (size <= mostBytes) pieces.push(piece)
  }
  if (size > mostBytes)
    throw new Refusal(413, 'PAYLOAD_TOO_LARGE', 'The file is larger than 20 MB. Import it in parts.')
  return Buffer.concat(pieces)
}

async function* asLines(news: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const one of news) yield `${JSON.stringify(one)}\n`
}
