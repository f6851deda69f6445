import type { CountryCode } from 'libphonenumber-js/max'
import { HttpProblem, invalid } from '../http/problem.ts'
import { Thread, ThreadFailed } from '../threads/thread.ts'
import { threadFile } from '../threads/thread-file.ts'
import type { ImportColumn } from './contract.ts'
import type { FileTask, Opened } from './file-worker.ts'
import type { RowDraft } from './row-draft.ts'

/** Parsing 20 MB takes two seconds; a busy machine may need many times as long. */
const ms = 60_000
const heapMb = 512
const mostAtOnce = { files: 4, filesOfAccount: 2 }
const open = new Map<string, number>()

/** The file of an import, read in a thread of its own. Must be closed. */
export interface LeadFile {
  names: string[]
  rows: number
  recognise(country: CountryCode): Promise<ImportColumn[]>
  /** From the first row on, in batches that are small enough for the event loop. */
  read(columns: ImportColumn[], country: CountryCode): AsyncGenerator<RowDraft[]>
  close(): void
}

/** Throws an HttpProblem if the file cannot be read, or too many files are being read. `bytes` cannot be used afterwards. */
export async function openLeadFile(bytes: Uint8Array<ArrayBuffer>, accountId: string): Promise<LeadFile> {
  const own = open.get(accountId) ?? 0
  const all = [...open.values()].reduce((sum, files) => sum + files, 0)
  if (own >= mostAtOnce.filesOfAccount || all >= mostAtOnce.files) {
    throw new HttpProblem(503, 'UNAVAILABLE', 'Other imports are running. Try again when they are done.')
  }
  open.set(accountId, own + 1)
  const thread = new Thread(threadFile('file-worker', import.meta.url), heapMb)
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    thread.close()
    const left = open.get(accountId)! - 1
    if (left > 0) open.set(accountId, left)
    else open.delete(accountId)
  }
  const call = async <Answer>(task: FileTask, transfer: ArrayBuffer[] = []) => {
    try {
      return (await thread.call(task, ms, transfer)) as Answer
    } catch (error) {
      if (error instanceof ThreadFailed) throw invalid('The file is too complex to be read. Split it.')
      throw error
    }
  }
  try {
    const opened = await call<Opened>({ task: 'open', bytes }, [bytes.buffer])
    if ('problem' in opened) throw invalid(opened.problem)
    return {
      ...opened,
      recognise: (country) => call({ task: 'recognise', country }),
      async *read(columns, country) {
        await call({ task: 'start', columns, country })
        for (;;) {
          const drafts = await call<RowDraft[]>({ task: 'next' })
          if (drafts.length === 0) return
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
