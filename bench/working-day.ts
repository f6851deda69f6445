/**
 * A day of one user who calls the lead that Call next shows first: 200 leads, of which 40 come during the day, beside missed calls and repeat
 * enquiries. How long new leads wait for their first call, how many promised calls are kept within ten minutes, and how many open leads
 * are without a next step in the evening. Time is that of the clock given to the app, so the figures do not depend on the machine.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallQueue, QueuedLead } from '../server/selling/call-queue/contract.ts'
import { testApp } from '../test/app.ts'
import { people, signedIn } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { webhookOf } from '../test/webhooks.ts'
import { quantilesOf } from './quantile.ts'

interface Answer {
  outcome: 'Completed' | 'No Answer' | 'Busy'
  seconds?: number
  /** Minutes until the lead wants to be called again. */
  asks_for?: number | 'tomorrow'
  /** The next step of a conversation in which the lead asks for none. */
  chooses?: 'tomorrow' | 'in_3_days' | 'next_week' | 'none_because' | 'nothing' | 'Won' | 'Lost'
}
interface Lead {
  name: string
  phone: string
  status: string
  created_at: string
  calls?: { type: 'Inbound' | 'Outbound'; outcome: string; seconds: number; at: string }[]
  call_again_at?: string
  enquired_again_at?: string
  /** How long a conversation takes with all that belongs to it. */
  minutes: number
  /** What happens at each call. The last one repeats. */
  answers: Answer[]
}
interface Event {
  at: string
  kind: 'new_lead' | 'missed_call' | 'enquiry'
  /** A lead that is new by it. */
  lead?: Lead
  name?: string
}

const minute = 60_000
const day = 24 * 60 * minute
const from = Date.parse('2026-11-25T10:00:00+05:30')
const until = Date.parse('2026-11-25T19:00:00+05:30')
const breaks = [
  ['11:30', '11:45'],
  ['13:30', '14:15'],
  ['16:30', '16:45'],
].map(([start, end]) => [at(start!), at(end!)] as const)
const pause = 2 * minute
const maxCalls = 62
/** A promise is kept if the call is at most this early or late. */
const kept = 10 * minute
const toRetry = ['No Answer', 'Busy', 'Voicemail']

function at(time: string) {
  return Date.parse(`2026-11-25T${time}:00+05:30`)
}
const iso = (time: number) => new Date(time).toISOString()

await withTestServer(async () => {
  const lines = (await readFile(join(import.meta.dirname, 'working-day/leads.jsonl'), 'utf8')).trim().split('\n')
  const all = lines.map((line) => JSON.parse(line))
  const leads: Lead[] = all.filter((one) => !('kind' in one))
  const events: Event[] = all.filter((one) => 'kind' in one)
  let now = from
  const app = await testApp({}, () => new Date(now))
  try {
    const { acme, bela } = await people(app)
    const caller = (await signedIn(app, bela))!
    const hours = { work_days: [1, 2, 3, 4, 5, 6], work_from: 10 * 60, work_until: 19 * 60 }
    await expect(200, caller.send('PATCH', `/web/availability/${bela.id}`, { working_hours: hours }))
    const website = await webhookOf(app, acme, { name: 'Website' })
    const ids = new Map<string, string>()
    const byId = new Map<string, Lead>()

    const add = async (lead: Lead) => {
      const { name, phone, status } = lead
      const { id } = await expect(201, bela.send('POST', '/api/v1/leads', { name, phone, status, source: 'Website' }))
      ids.set(name, id)
      byId.set(id, lead)
    }
    const report = (lead: Lead, call: object) =>
      expect(201, bela.send('POST', '/api/v1/call-logs', { lead_id: ids.get(lead.name), ...call }))
    const enquire = (lead: Lead) =>
      expect(200, website.send({ name: lead.name, phone: lead.phone, message: `A question of ${iso(now)}` }))
    const missed = { call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }

    // What was before the day, in the order of time.
    const past = leads.flatMap((lead) => [
      { at: lead.created_at, run: () => add(lead) },
      ...(lead.calls ?? []).map(({ type, outcome, seconds, at: called_at }) => ({
        at: called_at,
        run: () => report(lead, { call_type: type, outcome, duration_seconds: seconds, called_at }),
      })),
      ...(lead.enquired_again_at ? [{ at: lead.enquired_again_at, run: () => enquire(lead) }] : []),
    ])
    for (const { at: time, run } of past.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
      now = Date.parse(time)
      await run()
    }
    // What is planned, after the calls that would end it.
    now = from - minute
    for (const lead of leads.filter(({ call_again_at }) => call_again_at)) {
      const path = `/web/leads/${ids.get(lead.name)}`
      await expect(200, caller.send('PATCH', path, { call_again_at: lead.call_again_at }))
    }

    const arrived = new Map<string, number>()
    const firstCalls = new Map<string, number>()
    const promises = leads.flatMap(({ name, status, call_again_at }) => {
      const time = call_again_at ? Date.parse(call_again_at) : 0
      return time > from && time < until && !['Won', 'Lost'].includes(status) ? [{ name, time, isKept: false }] : []
    })
    const tries = new Map<string, number>()
    const skips: string[] = []
    const placeOf = ({ id, reason, since }: QueuedLead) => `${id} ${reason} ${since}`
    const waiting = events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    const happen = async (time: number) => {
      while (waiting[0] && Date.parse(waiting[0].at) <= time) {
        const { at: moment, kind, lead, name } = waiting.shift()!
        now = Date.parse(moment)
        if (lead) {
          await add(lead)
          if (kind === 'new_lead') arrived.set(lead.name, now)
        }
        const known = byId.get(ids.get(lead?.name ?? name!)!)!
        if (kind === 'missed_call') await report(known, { ...missed, called_at: moment })
        if (kind === 'enquiry') await enquire(known)
      }
      now = time
    }
    const read = async (reason?: string): Promise<CallQueue> =>
      expect(200, caller.send('GET', `/web/call-queue${reason ? `?reason=${reason}` : ''}`))

    let calls = 0
    let time = from
    while (time < until && calls < maxCalls) {
      const rest = breaks.find(([start, end]) => time >= start && time < end)
      if (rest) {
        time = rest[1]
        continue
      }
      await happen(time)
      const queue = await read()
      const rank = (lead: QueuedLead) => skips.indexOf(placeOf(lead))
      const next = queue.leads.toSorted((one, other) => rank(one) - rank(other))[0]
      if (!next || rank(next) !== -1) {
        time += minute
        continue
      }
      const lead = byId.get(next.id)!
      const started = time
      const count = tries.get(lead.name) ?? 0
      tries.set(lead.name, count + 1)
      const answer = lead.answers[Math.min(count, lead.answers.length - 1)]!
      time += answer.outcome === 'Completed' ? lead.minutes * minute : minute
      await happen(time)
      if (!firstCalls.has(lead.name)) firstCalls.set(lead.name, started)
      for (const promise of promises) {
        if (promise.name === lead.name && Math.abs(started - promise.time) <= kept) promise.isKept = true
      }
      const step = nextStep(answer, time)
      if ('call_again_at' in step) {
        const due = Date.parse(step.call_again_at)
        if (due < until - kept) promises.push({ name: lead.name, time: due, isKept: false })
      }
      const call = { call_type: 'Outbound', outcome: answer.outcome, duration_seconds: answer.seconds ?? 0 }
      await expect(
        201,
        caller.send('POST', `/web/leads/${next.id}/calls`, { ...call, called_at: iso(started), ...step }),
      )
      skips.push(placeOf(next))
      calls++
      time += pause
    }

    await happen(until)
    const { counts } = await read()
    const queued = new Set<string>()
    for (const reason of Object.keys(counts)) for (const { id } of (await read(reason)).leads) queued.add(id)
    const rows =
      (await app.owner`select to_jsonb(leads) as lead from leads where assigned_to = ${bela.id}`) as unknown as {
        lead: Record<string, unknown> & { id: string; status: string }
      }[]
    const open = rows.map(({ lead }) => lead).filter(({ status }) => status !== 'Won' && status !== 'Lost')
    const left = open.filter(
      ({ id, call_again_at, last_call_outcome, no_next_step }) =>
        !queued.has(id) && !call_again_at && !no_next_step && !toRetry.includes(String(last_call_outcome)),
    )
    const waits = [...arrived].map(([name, since]) => ((firstCalls.get(name) ?? until) - since) / minute)
    const quantile = quantilesOf(waits)
    const uncalled = [...arrived.keys()].filter((name) => !firstCalls.has(name)).length
    const due = promises.filter(({ time: promised }) => promised < until)
    console.log(`${rows.length} leads, ${calls} calls`)
    console.log(
      `${arrived.size} new leads: first call after ${quantile(0.5)} min (median), ${quantile(0.9)} min (p90), ${uncalled} not called`,
    )
    console.log(
      `${due.length} promised calls: ${due.filter(({ isKept }) => isKept).length} kept within ${kept / minute} minutes`,
    )
    console.log(`${left.length} of ${open.length} open leads without a next step, and no user chose that`)
  } finally {
    await app.close()
  }
})

function nextStep({ outcome, asks_for, chooses }: Answer, ended: number) {
  const later = (days: number) => ({ call_again_at: iso(Date.parse('2026-11-25T11:00:00+05:30') + days * day) })
  if (outcome !== 'Completed') return {}
  if (asks_for === 'tomorrow' || chooses === 'tomorrow') return later(1)
  if (asks_for !== undefined) return { call_again_at: iso(ended + asks_for * minute) }
  if (chooses === 'in_3_days') return later(3)
  if (chooses === 'next_week') return later(7)
  if (chooses === 'Won' || chooses === 'Lost') return { status: chooses }
  // Without a choice the form asks.
  return { no_next_step: 'Wait for the customer' }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service says
async function expect(status: number, sent: Promise<{ status: number; body: any }>) {
  const answer = await sent
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
