import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../server/platform/database/sql.ts'
import { type Answer, ask } from './people.ts'
import { assertCountsHold } from './records.ts'

/** The service that clients write to. A restarted service keeps its URL. */
export interface Target {
  url: string
  key: string
  /** The path of a webhook. */
  webhook: string
}

type Kind = 'lead' | 'merge' | 'call' | 'delivery'

interface Entry {
  kind: Kind
  acknowledged: boolean
  /** When it was, in milliseconds since 1970. */
  at?: number
}

/** What clients sent, by a text that only one request has, and whether it was acknowledged. */
export interface Ledger {
  sent: Map<string, Entry>
  /** How often each status was answered; 0 where no answer arrived. */
  answers: Record<number, number>
}

export const acknowledgedIn = ({ sent }: Ledger): number =>
  [...sent.values()].filter(({ acknowledged }) => acknowledged).length

export const newLedger = (): Ledger => ({ sent: new Map(), answers: {} })

/** A message of a person: recognition may take a mark alone for an id. */
const messageOf = (mark: string) => `I am interested in your offer ${mark}`

const noAnswer: Answer = { status: 0, headers: new Headers(), body: null }

/**
 * Creates leads, merges into them, logs calls and sends deliveries, with `clients` at once, until the signal. Calls are
 * repeated with their Idempotency-Key until they are acknowledged; everything else is sent once.
 */
export async function writeUntil(signal: AbortSignal, target: Target, ledger: Ledger, clients = 6): Promise<void> {
  await Promise.all(Array.from({ length: clients }, () => client(signal, target, ledger)))
}

async function client(signal: AbortSignal, { url, key, webhook }: Target, ledger: Ledger) {
  /** `success` is the status that acknowledges; null where the service did not answer. */
  async function send(
    kind: Kind,
    success: number,
    request: (mark: string) => Promise<Answer>,
    mark: string = randomUUID(),
  ) {
    const entry: Entry = ledger.sent.get(mark) ?? { kind, acknowledged: false }
    ledger.sent.set(mark, entry)
    const answer = await request(mark).catch(() => noAnswer)
    ledger.answers[answer.status] = (ledger.answers[answer.status] ?? 0) + 1
    assert.ok([0, success, 503].includes(answer.status), `${kind}: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer.status === success) Object.assign(entry, { acknowledged: true, at: Date.now() })
    else await sleep(20)
    return { answer, mark }
  }
  const post = (path: string, body: object, headers = {}) => ask(url, key, 'POST', path, body, headers)
  while (!signal.aborted) {
    const { answer, mark: lead } = await send('lead', 201, (mark) =>
      post('/api/v1/leads', { name: 'Ravi', email: `${mark}@example.com` }),
    )
    if (answer.status !== 201) continue
    const email = `${lead}@example.com`
    const id = answer.body.data.id
    const logCall = async () => {
      const mark = randomUUID()
      const request = () => {
        const call = { lead_id: id, call_type: 'Inbound', duration_seconds: 5, notes: mark }
        return post('/api/v1/call-logs', call, { 'idempotency-key': mark })
      }
      while ((await send('call', 201, request, mark)).answer.status !== 201 && !signal.aborted) await sleep(50)
    }
    await Promise.all([
      logCall(),
      send('merge', 200, (mark) => post('/api/v1/leads', { name: 'Ravi', email, tags: [mark] })),
      send('delivery', 200, (mark) =>
        ask(url, null, 'POST', webhook, { name: 'Ravi', email, message: messageOf(mark) }),
      ),
      send('delivery', 200, (mark) =>
        ask(url, null, 'POST', webhook, { name: 'Meena', email: `${mark}@example.com`, message: messageOf(mark) }),
      ),
    ])
  }
}

/** Checks against all tables that nothing acknowledged is lost, nothing sent is there twice, and the counts hold. */
export async function assertLedgerHolds(owner: Sql, ledger: Ledger) {
  const { lost, doubled } = await compareLedger(owner, ledger)
  assert.deepEqual([lost.map(({ what }) => what), doubled], [[], []])
  await assertCountsHold(owner)
  return `${acknowledgedIn(ledger)} acknowledged of ${ledger.sent.size} sent, 0 lost, 0 doubled; answers: ${JSON.stringify(ledger.answers)}`
}

/** Returns what was acknowledged and is lost, with the time of the acknowledgement, and what is there twice. */
export async function compareLedger(owner: Sql, { sent }: Ledger) {
  const found = { lost: [] as { what: string; at: number }[], doubled: [] as string[] }
  const count = new Map<string, number>()
  const add = (key: string) => count.set(key, (count.get(key) ?? 0) + 1)
  const uuids = (text: string | null) =>
    text?.match(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []
  for (const { email, notes, tags } of await owner`select email, notes, tags from leads`) {
    add(`lead ${email.split('@')[0]}`)
    for (const mark of uuids(notes)) add(`message ${mark}`)
    for (const mark of tags) add(`tag ${mark}`)
  }
  for (const { details } of await owner`select details::text from timeline_entries where kind = 'merged'`)
    for (const mark of new Set(uuids(details))) add(`entry ${mark}`)
  for (const { notes } of await owner`select notes from call_logs`) add(`call ${notes}`)
  for (const { body } of await owner`select convert_from(body, 'utf8') as body from deliveries`)
    add(`delivery ${uuids(JSON.parse(body).message)[0]}`)
  for (const [mark, { kind, acknowledged, at }] of sent) {
    const places = {
      lead: [`lead ${mark}`],
      merge: [`tag ${mark}`, `entry ${mark}`],
      call: [`call ${mark}`],
      delivery: [`delivery ${mark}`, `message ${mark}`],
    }[kind]
    const counts = places.map((place) => count.get(place) ?? 0)
    if (acknowledged && counts.some((n) => n === 0)) found.lost.push({ what: `${kind} ${mark}`, at: at! })
    if (counts.some((n) => n > 1)) found.doubled.push(`${kind} ${mark}`)
    // All of a request is there, or nothing.
    assert.equal(
      new Set(counts).size,
      1,
      `${kind} ${mark} is there in part: ${places.map((place, n) => `${place}: ${counts[n]}`)}`,
    )
  }
  return found
}
