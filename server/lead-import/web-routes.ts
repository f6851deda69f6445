import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { accountOf } from '../account/users.ts'
import { recordAudit } from '../audit/record.ts'
import { asActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { readPatiently } from '../http/patient-body.ts'
import { forbidden, HttpProblem, invalid } from '../http/problem.ts'
import type { WebCaller } from '../sign-in/require-session.ts'
import { columnsByHand } from './columns.ts'
import { ImportQuery } from './contract.ts'
import { importLeads, previewImport } from './import-leads.ts'
import { type LeadFile, openLeadFile } from './lead-file.ts'
import type { ImportPlan } from './read-row.ts'

const mostBytes = 20 * 1024 * 1024

/** The import of leads from a file, for Admins and Managers. */
export const leadImportRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async ({ webCaller }) => {
      if (webCaller.user.role === 'Agent') {
        throw forbidden('PERMISSION_DENIED', 'Only Admins and Managers may import leads.')
      }
    })
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    app.addContentTypeParser('text/csv', (request: FastifyRequest, payload: IncomingMessage) =>
      readFile(readPatiently(payload, request.server.server.requestTimeout)),
    )

    app.post('/leads/import', { schema: { querystring: ImportQuery } }, async (request, reply) => {
      const { webCaller, query } = request
      if (!(request.body instanceof Uint8Array)) throw invalid('Send the file as text/csv.')
      const file = await openLeadFile(ownMemory(request.body), webCaller.account_id)
      let isStreamed = false
      try {
        const plan = await planOf(database, webCaller, file, query, clock())
        if (query.dry_run === 'true') return { data: await previewImport(database, plan, file) }
        await asActor(database, webCaller, (tx) =>
          recordAudit(tx, webCaller, 'leads.imported', null, { rows: file.rows }),
        )
        const report = (err: unknown) => request.log.error({ err }, 'an import ended early')
        const news = importLeads(database, plan, file, closing.signal, report)
        const lines = Readable.from(asLines(news))
        // Also if the client never read any of it.
        lines.once('close', file.close)
        isStreamed = true
        return reply.type('application/x-ndjson; charset=utf-8').send(lines)
      } finally {
        if (!isStreamed) file.close()
      }
    })
  }

async function planOf(
  database: Database,
  caller: WebCaller,
  file: LeadFile,
  query: ImportQuery,
  now: Date,
): Promise<ImportPlan> {
  const account = await accountOf(database, caller.account_id)
  const columns =
    query.columns === undefined ? await file.recognise(account.country) : columnsByHand(file.names, query.columns)
  if (!columns) throw invalid('columns must be a JSON object of column names in the file and lead fields.', 'columns')
  const sender = `an import by ${caller.user.name}`
  return { columns, account, actor: caller, sender, source: query.source ?? 'CSV import', now }
}

/** Copies a buffer that shares its memory, which cannot be moved to another thread. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
  return isWhole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

async function readFile(payload: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of payload) {
    size += piece.length
    // Still read, up to a limit: a client that is still sending does not read the answer.
    if (size > 3 * mostBytes) break
    if (size <= mostBytes) pieces.push(piece)
  }
  if (size > mostBytes)
    throw new HttpProblem(413, 'PAYLOAD_TOO_LARGE', 'The file is larger than 20 MB. Import it in parts.')
  return Buffer.concat(pieces)
}

async function* asLines(news: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const one of news) yield `${JSON.stringify(one)}\n`
}
