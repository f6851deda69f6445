import assert from 'node:assert/strict'
import { type Program, running } from './doc-programs.ts'
import type { Player } from './people.ts'
import { until } from './until.ts'

interface Stress {
  /** Calls the API with a key. */
  api: Pick<Player, 'send'>
  /** Changes leads as the web app does. */
  web: Pick<Player, 'send'>
  /** Holds the lock of a lead for a second, so that changes are committed long after their time. */
  hold(leadId: string): Promise<unknown>
  /** How many changes the writers make together. */
  changes: number
}

const writers = 8

/**
 * Runs a program that keeps in step while writers create, merge and change leads and log calls, many of them with the same few
 * leads. The program prints `name phone status`. Returns what its last lines say of the leads, compared with the service.
 */
export async function syncUnderStress(program: Program, { api, web, hold, changes }: Stress) {
  const output = running(program)
  const leads: { id: string; phone: string }[] = []
  let made = 0
  const send = async (from: Pick<Player, 'send'>, method: string, path: string, body: object) => {
    const { status, body: answer } = await from.send(method, path, body)
    // Two writers at one lead may wait too long for each other.
    assert.ok(status < 300 || status === 503, JSON.stringify(answer))
    return status < 300 ? answer.data : null
  }
  const write = async (writer: number) => {
    for (let n = 0; made < changes; n++) {
      made++
      const name = `Lead ${writer}-${n}`
      // The newest leads, and one that all writers change again and again.
      const lead = n % 20 === 0 ? leads[0] : leads.at(-1 - Math.floor(Math.random() * 40))
      if (n % 4 === 0 || !lead) {
        const phone = `9${String(writer + 1)}${String(10_000_000 + n)}`
        const created = await send(api, 'POST', '/api/v1/leads', { name, phone })
        if (created) leads.push({ id: created.id, phone })
      } else if (n % 4 === 1) await send(api, 'POST', '/api/v1/leads', { name, phone: lead.phone, status: 'Contacted' })
      else if (n % 4 === 2) await send(web, 'PATCH', `/web/leads/${lead.id}`, { name })
      else
        await send(api, 'POST', '/api/v1/call-logs', { lead_id: lead.id, call_type: 'Outbound', duration_seconds: 5 })
    }
  }
  const holdSome = async () => {
    while (made < changes) {
      await until(() => leads.length > 0 || made >= changes)
      await hold(leads.at(-1 - (made % Math.min(leads.length, 10)))!.id)
    }
  }
  try {
    await Promise.all([...Array.from({ length: writers }, (_, writer) => write(writer)), holdSome()])
    // The second one is read after the pass that read the first one is over.
    for (const [phone, name] of [
      ['9900000001', 'First mark'],
      ['9900000002', 'Second mark'],
    ]) {
      await send(api, 'POST', '/api/v1/leads', { name: name!, phone: phone! })
      await until(() => output.said().includes(name!), `${name} in the output`)
    }
  } finally {
    await output.end()
  }
  const lines = output
    .said()
    .split('\n')
    .filter((line) => line.startsWith('Lead '))
  const last = new Map(lines.map((line) => [line.match(/ (9\d{9}) /)?.[1], line]))
  const all = await allLeads(api)
  const expected = all.filter(({ name }) => name.startsWith('Lead '))
  return {
    leads: expected.length,
    missing: expected.filter(({ phone }) => !last.has(phone)).length,
    stale: expected.filter(
      ({ name, phone, status }) => (last.get(phone) ?? '') !== `${name} ${phone} ${status}` && last.has(phone),
    ).length,
    doubled: lines.length - new Set(lines).size,
  }
}

async function allLeads(api: Pick<Player, 'send'>) {
  const all: { name: string; phone: string; status: string }[] = []
  for (let offset = 0; ; offset += 500) {
    const { body } = await api.send('GET', `/api/v1/leads?limit=500&offset=${offset}`)
    all.push(...body.data)
    if (!body.pagination.has_more) return all
  }
}
