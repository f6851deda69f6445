import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import type { FastifyRequest } from 'fastify'
import { type Account, findAccount } from '../../access/account/users.ts'
import { requirePermission, type WebCaller } from '../../access/sign-in/require-session.ts'
import { assigneeId } from '../../crm/leads/submission.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { istDay } from '../../platform/http/instants.ts'
import { forbidden, invalid, notFound } from '../../platform/http/problem.ts'
import { readSlowBody } from '../../platform/http/slow-body.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { acceptedLanguage } from '../../platform/languages/translate.ts'
import { columnsByHand, withDateOrders } from './columns.ts'
import { ImportQuery, isMigrated, type LeadImport, type RowKind } from './contract.ts'
import { importLeads } from './import-leads.ts'
import { defaultSource, type ImportPlan, ownNumbersOf } from './import-plan.ts'
import { type LeadFile, openLeadFile } from './lead-file.ts'
import { listImports } from './list-imports.ts'
import { previewImport } from './preview-import.ts'
import { openImport } from './progress-record.ts'
import { ReceivedFile, ReceivedFiles, removeLeftFiles } from './received-file.ts'
import { readRejectedFile } from './rejected-rows.ts'
import { rowsOfKind } from './rows-of-kind.ts'
import { runUndo, startUndo } from './undo-import.ts'
import { chosenValuesIn } from './unknown-values.ts'

export const maxBytes = { Admin: 100 * 1024 * 1024, Manager: 20 * 1024 * 1024, Agent: 0 }
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The import of leads from a file, for Admins and Managers. */
export const leadImportRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async ({ webCaller }) => {
      if (webCaller.user.role === 'Agent') {
        throw forbidden('PERMISSION_DENIED', msg`Only Admins and Managers may import leads.`)
      }
    })
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    const files = new ReceivedFiles()
    app.addHook('onReady', removeLeftFiles)
    app.addHook('onClose', () => files.removeAll())
    const closed = new WeakMap<FastifyRequest, AbortSignal>()
    app.addHook('onRequest', async (request, { raw }) => {
      const response = new AbortController()
      closed.set(request, response.signal)
      raw.once('close', () => response.abort())
    })
    app.addContentTypeParser(['text/csv', workbook], (request: FastifyRequest, payload: IncomingMessage) =>
      files.receive({
        accountId: request.webCaller.account_id,
        body: readSlowBody(payload, request.server.server.requestTimeout),
        maxBytes: maxBytes[request.webCaller.user.role],
        gone: closed.get(request)!,
      }),
    )

    app.get(
      '/leads/imports',
      async ({ webCaller }): Promise<{ data: LeadImport[] }> => ({
        data: await listImports(database, webCaller, clock()),
      }),
    )

    const readImport = async (caller: WebCaller, id: string): Promise<LeadImport> => {
      const [found] = await listImports(database, caller, clock(), { id })
      if (!found) throw noImport()
      return found
    }

    app.get('/leads/imports/:id/rejected.csv', { schema: { params: IdParameter } }, async (request, reply) => {
      const { started_at } = await readImport(request.webCaller, request.params.id)
      const rows = await readRejectedFile(database, request.webCaller, request.params.id)
      if (rows === '') throw notFound(msg`No rejected rows of this import are kept.`)
      const day = istDay(new Date(started_at))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="rejected-rows-${day}.csv"`)
        .send(rows)
    })

    app.post(
      '/leads/imports/:id/undo',
      { schema: { params: IdParameter } },
      async ({ webCaller, params: { id }, log }): Promise<{ data: LeadImport }> => {
        requirePermission(webCaller, 'delete')
        await startUndo(database, webCaller, id, clock())
        // The service continues a failed one.
        void runUndo(database, webCaller.account_id, clock).catch((err) => log.error({ err }, 'undo of an import'))
        return { data: await readImport(webCaller, id) }
      },
    )

    app.post('/leads/import', { schema: { querystring: ImportQuery } }, async (request, reply) => {
      const { webCaller, query } = request
      if (!(request.body instanceof ReceivedFile)) throw invalid(msg`Send the file as text/csv or ${{ workbook }}.`)
      const gone = closed.get(request)!
      const language = acceptedLanguage(request.headers['accept-language'])
      const account = await findAccount(database, webCaller.account_id)
      const file = await openLeadFile({
        path: request.body.path,
        account: { id: webCaller.account_id, country: account.country },
        layout: { sheet: query.sheet, header: query.header },
        gone,
        language,
      })
      const owner = query.owner === undefined ? null : await assigneeId(database, webCaller, query.owner, 'owner')
      const own = await ownNumbersOf(database, webCaller)
      const plan = await planOf(account, webCaller, { file, query, own, owner, now: clock(), language })
      if (query.dry_run === 'true' && query.rows_of) {
        const rows = rowsOfKind(plan, file, query.rows_of as RowKind)
        return reply.type('text/csv; charset=utf-8').send(Readable.from(rows))
      }
      if (query.dry_run === 'true') return { data: await previewImport(database, plan, file) }
      const opened = await openImport(database, plan, file, query.file ?? '')
      const report = (err: unknown) => gone.aborted || request.log.error({ err }, 'an import ended early')
      const news = importLeads(database, opened, closing.signal, report)
      return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(asLines(news)))
    })
  }

const noImport = () => notFound(msg`No import with this id.`)

interface Given {
  file: LeadFile
  /** The numbers of the account itself. */
  own: string[]
  query: ImportQuery
  /** The owner of leads whose row names none. Null: as the rules decide. */
  owner: string | null
  now: Date
  language: Language
}

async function planOf(
  account: Account,
  caller: WebCaller,
  { file, query, own, owner, now, language }: Given,
): Promise<ImportPlan> {
  const isAdmin = caller.user.role === 'Admin'
  const { source = defaultSource(file.format), tags = [], others } = query
  const recognised = await file.recognise(isAdmin)
  const columns =
    query.columns === undefined ? recognised : columnsByHand(recognised, query.columns, { others, language })
  if (!columns)
    throw invalid(
      msg`${{ field: 'columns' }} must be a JSON object of column names in the file and what they are.`,
      'columns',
    )
  const chosen = chosenValuesIn(query.values ?? '{}')
  if (!chosen)
    throw invalid(msg`${{ field: 'values' }} must be a JSON object of ids and what the values are.`, 'values')
  if (!isAdmin && columns.some(({ field }) => isMigrated(field))) {
    throw forbidden('PERMISSION_DENIED', msg`Only Admins may import times and calls.`)
  }
  return {
    columns: withDateOrders(columns, file.dates, language),
    own,
    chosen,
    account,
    actor: caller,
    assignment: { byRules: isAdmin && owner === null, otherwise: owner ?? caller.user_id },
    sender: `an import by ${caller.user.name}`,
    source,
    tags,
    now,
    language,
  }
}

async function* asLines(news: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const one of news) yield `${JSON.stringify(one)}\n`
}
