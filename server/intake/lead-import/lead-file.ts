import { stat } from 'node:fs/promises'
import { msg } from '@lingui/core/runtime-macro'
import type { CountryCode } from 'libphonenumber-js/max'
import { invalid, tryLater } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { Thread, ThreadFailed, threadFile } from '../../platform/threads/thread.ts'
import type { ImportColumn } from './contract.ts'
import type { ChosenLayout, FileLayout, FileTask, NextRows, Opened } from './file-worker.ts'
import type { DateSigns } from './read-time.ts'
import type { RowDraft } from './row-draft.ts'

/** Parsing 20 MB takes two seconds; a busy machine may need many times as long. */
const msPer20Mb = 60_000
const heapMb = 512
/** An account has a second file only while half of the places are free. */
export const maxRead = { files: 4, ofAccount: 2 }
const open = new Map<string, number>()
const wasClosed = invalid(msg`The client left before the file was read.`)

/** Starting a thread takes half a second, and a user previews a file several times. */
let spare: Thread | undefined
const spareMs = 60_000
/** What a larger file leaves in memory is freed with its thread. */
const maxSpareBytes = 1024 * 1024

/** Keeps a thread that has read a file for the next one. */
function keepSpare(thread: Thread): void {
  if (spare) {
    thread.close()
    return
  }
  spare = thread
  setTimeout(() => {
    if (spare !== thread) return
    spare = undefined
    thread.close()
  }, spareMs).unref()
}

/** How its rows are read. */
type ReadingPlan = Pick<Extract<FileTask, { task: 'start' }>, 'columns' | 'own' | 'now'>

/** The file of an import, read in a thread of its own. Must be closed. */
export interface LeadFile {
  names: string[]
  rows: number
  /** For each column. */
  dates: DateSigns[]
  format: 'csv' | 'xlsx'
  layout: FileLayout
  /** SHA-256 of its bytes. */
  hash: string
  /** With `withMigrated`, also the columns of times and calls. */
  recognise(withMigrated: boolean): Promise<ImportColumn[]>
  /** From the first row on, in batches that are small enough for the event loop and for a transaction. */
  read(plan: ReadingPlan): AsyncGenerator<RowDraft[]>
  close(): void
}

interface Given {
  path: string
  account: { id: string; country: CountryCode }
  layout: ChosenLayout
  /** The file is closed when it aborts. */
  gone?: AbortSignal
  /** The language of reasons and warnings. */
  language?: Language
}

/** Throws an HttpProblem if the file cannot be read, or too many files are being read. */
export async function openLeadFile({ path, account, layout, gone, language }: Given): Promise<LeadFile> {
  const { id: accountId, country } = account
  const { size } = await stat(path)
  if (gone?.aborted) throw wasClosed
  const own = open.get(accountId) ?? 0
  const all = [...open.values()].reduce((sum, files) => sum + files, 0)
  const max = own === 0 ? maxRead.files : maxRead.files / 2
  if (own >= maxRead.ofAccount || all >= max) {
    throw tryLater(msg`Other imports are running. Try again when they are done.`)
  }
  open.set(accountId, own + 1)
  const thread = spare ?? new Thread(threadFile('file-worker', import.meta.url), heapMb)
  spare = undefined
  let closed = false
  let unanswered = 0
  let isSmall = false
  const close = () => {
    if (closed) return
    closed = true
    if (isSmall && unanswered === 0) keepSpare(thread)
    else thread.close()
    const left = open.get(accountId)! - 1
    if (left > 0) open.set(accountId, left)
    else open.delete(accountId)
  }
  gone?.addEventListener('abort', close)
  const call = async <Answer>(task: FileTask) => {
    if (closed) throw wasClosed
    const ms = msPer20Mb * (task.task === 'open' ? 1 + size / (20 * 1024 * 1024) : 1)
    unanswered++
    try {
      const answer = (await thread.call(task, ms)) as Answer
      unanswered--
      return answer
    } catch (error) {
      if (error instanceof ThreadFailed) throw invalid(msg`The file is too complex to be read. Split it.`)
      throw error
    }
  }
  const readNext = async () => {
    const next = await call<NextRows>({ task: 'next' })
    if ('problem' in next) throw invalid(next.problem)
    return next.drafts
  }
  const readAhead = () => {
    const next = readNext()
    // Handled when it is awaited.
    next.catch(() => {})
    return next
  }
  try {
    const opened = await call<Opened>({ task: 'open', path, country, layout, language })
    if ('problem' in opened) throw invalid(opened.problem, opened.field)
    const { names, rows, dates, kind } = opened
    // A workbook stays open in its thread.
    isSmall = kind.format === 'csv' && size <= maxSpareBytes
    return {
      names,
      rows,
      dates,
      format: kind.format,
      layout: opened.layout,
      hash: kind.hash,
      recognise: (withMigrated) => call({ task: 'recognise', country, withMigrated, language }),
      async *read({ columns, own, now }) {
        await call({ task: 'start', columns, own, country, now, language })
        // The next rows are read while these are saved.
        let next = readAhead()
        for (;;) {
          const drafts = await next
          if (drafts.length === 0) return
          next = readAhead()
          yield drafts
        }
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}
