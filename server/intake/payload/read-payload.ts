import type { CountryCode } from 'libphonenumber-js/max'
import { type EnquiryDraft, noEnquiry } from '../../crm/enquiries/enquiry.ts'
import type { EnquiryReader } from '../../crm/leads/create-route.ts'
import { tryLater } from '../../platform/http/problem.ts'
import { ThreadFailed, threadFile } from '../../platform/threads/thread.ts'
import { PoolFull, ThreadPool } from '../../platform/threads/thread-pool.ts'
import { contactsIn } from './contacts-in.ts'
import {
  type PayloadInput,
  type PayloadReading,
  readOtherFieldsSync,
  readPayloadSync,
  showPayloadSync,
} from './reading.ts'
import type { PayloadTask } from './worker.ts'

/** Larger bodies are read in a thread; the worst body of this size takes less than 20 ms. */
const maxInline = 2048

const pool = new ThreadPool(threadFile('worker', import.meta.url), {
  threads: 2,
  // At most half a second of work, which may take many times as long on a busy machine.
  ms: 10_000,
  waitingBytes: 64 * 1024 * 1024,
})

/**
 * How long a body waits for a thread, in milliseconds. A delivery is kept then, and finished later: both together take less than the 10
 * seconds after which platforms give up. Finding contacts is quick, and goes first.
 */
export const maxWaitMs = { read: 6000, contacts: 2000 }

/**
 * Reads a body without blocking the event loop: small ones here, others in worker threads, which serve each `sender` in
 * turn. Throws 503 if too much is waiting, or it waited too long.
 */
export async function readPayload(input: PayloadInput, sender: string): Promise<PayloadReading> {
  if (input.body.length <= maxInline) return readPayloadSync(input)
  try {
    return (await inThread({ task: 'read', input }, input.body.length, sender)) as PayloadReading
  } catch (error) {
    if (error instanceof ThreadFailed) return { problem: 'The payload is too complex to be read in time' }
    throw error
  }
}

/** Returns the payload as an object to show; null if it cannot be read as one. */
export async function showPayload(
  input: Pick<PayloadInput, 'body' | 'content_type'>,
  sender: string,
): Promise<Record<string, unknown> | null> {
  if (input.body.length <= maxInline) return showPayloadSync(input)
  try {
    const task = { task: 'show' as const, input: { ...input, mapping: [], country: 'IN' as const } }
    return (await inThread(task, input.body.length, sender)) as Record<string, unknown> | null
  } catch (error) {
    if (error instanceof ThreadFailed) return null
    throw error
  }
}

/** Returns the contact keys found anywhere in a body. If too much waits for the threads, they are found here. */
export async function findContacts(
  body: Uint8Array,
  content_type: string | null,
  country: CountryCode,
  sender: string,
): Promise<string[]> {
  if (body.length > maxInline / 2) {
    try {
      const input = { body, content_type, country, mapping: [] }
      return (await pool.run({ task: 'contacts', input } satisfies PayloadTask, body.length, sender, {
        waitMs: maxWaitMs.contacts,
        first: true,
      })) as string[]
    } catch (error) {
      if (!(error instanceof PoolFull || error instanceof ThreadFailed)) throw error
    }
  }
  return contactsIn(body, content_type, country)
}

async function inThread(task: PayloadTask, bytes: number, sender: string): Promise<unknown> {
  try {
    return await pool.run(task, bytes, sender, { waitMs: maxWaitMs.read })
  } catch (error) {
    if (error instanceof PoolFull) throw tryLater('Too many payloads are being read at once. Try again in a moment.')
    throw error
  }
}

/** Reads the enquiry of the fields that a request of the API has beside those of its lead, as those of a webhook's payload. */
export const readOtherFields: EnquiryReader = async (fields, { lead, bytes, sender }) => {
  if (bytes <= maxInline) return readOtherFieldsSync({ fields, lead })
  try {
    return (await inThread({ task: 'fields', input: { fields, lead } }, bytes, sender)) as EnquiryDraft
  } catch (error) {
    if (error instanceof ThreadFailed) return noEnquiry
    throw error
  }
}

/** Stops the idle threads. */
export const stopIdleReaders = () => pool.stopIdle()
