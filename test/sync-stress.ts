import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Program, running } from './doc-programs.ts'
import type { Player } from './people.ts'
import { until } from './until.ts'

interface Stress {
  /** Calls the API with a key. */
  api: Pick<Player, 'send'>
  /** Changes leads as the web app does. */
  web: Pick<Player, 'send'>
  /** Delivers to a webhook. */
  deliver(payload: object): Promise<{ status: number }>
  /** Changes a lead in a transaction that is committed long after its time. */
  changeSlowly(leadId: string): Promise<unknown>
  /** How many changes the writers make together. */
  changes: number
  /** How often the program is killed and started again meanwhile. */
  kills: number
  /** Whether the program also reads everything meanwhile, again and again, and so finds what is deleted. */
  isChecked: boolean
}

interface Item {
  id: string
  name?: string
  phone?: string
}
type Lists = Record<'leads' | 'call-logs', Record<string, Item>>

export const writers = 8

/**
 * Runs a program that keeps `lead-engine.json` in step while writers create, merge, change and delete leads and calls, many of them of the
 * same few leads. Returns how what it has then differs from the service, and how many lines it printed twice. What is deleted stays in the
 * file if it is not checked.
 */
export async function syncUnderStress(program: Program, stress: Stress) {
  const { api, web, deliver, changeSlowly, changes, kills, isChecked } = stress
  const leads: { id: string; phone: string }[] = []
  const calls: string[] = []
  let [made, checks, doubled] = [0, 0, 0]
  let output = running(program)
  /** Ends the program, and counts what it printed twice, and how often it read everything. */
  const end = async () => {
    await output.end()
    const lines = output.said().trim().split('\n')
    doubled += lines.length - new Set(lines).size
    assert.equal(output.errors(), '')
  }
  const send = async (from: Pick<Player, 'send'>, method: string, path: string, body?: object) => {
    const { status, body: answer } = await from.send(method, path, body)
    // Two writers at one lead may wait too long for each other, and it may be deleted meanwhile.
    assert.ok([200, 201, 404, 503].includes(status), JSON.stringify(answer))
    return status < 300 ? answer.data : null
  }
  const write = async (writer: number) => {
    for (let n = 0; made < changes; n++) {
      made++
      const name = `Lead ${writer}-${n}`
      // The newest leads, and one that all writers change again and again.
      const lead = n % 20 === 0 ? leads[0] : leads.at(-1 - Math.floor(Math.random() * 40))
      const phone = `9${String(writer + 1)}${String(10_000_000 + n)}`
      const kind = lead ? n % 8 : 0
      if (kind === 0 || kind === 4) {
        const created = await send(api, 'POST', '/api/v1/leads', { name, phone })
        if (created) leads.push({ id: created.id, phone })
      } else if (kind === 1) await send(api, 'POST', '/api/v1/leads', { name, phone: lead!.phone, status: 'Contacted' })
      else if (kind === 2) await send(web, 'PATCH', `/web/leads/${lead!.id}`, { name })
      else if (kind === 5) await deliver({ name, phone: lead!.phone, city: `City ${n}` })
      else if (kind === 6) {
        // Only older ones, so that some leads are changed often.
        const [gone] = leads.length > 60 ? leads.splice(20, 1) : []
        if (gone) await send(api, 'DELETE', `/api/v1/leads/${gone.id}`)
        const call = calls.length > 20 ? calls.shift() : undefined
        if (call) await send(api, 'DELETE', `/api/v1/call-logs/${call}`)
      } else {
        const call = { lead_id: lead!.id, call_type: 'Outbound', duration_seconds: n }
        const logged = await send(api, 'POST', '/api/v1/call-logs', call)
        if (logged) calls.push(logged.id)
        if (logged && n % 3 === 0) await send(web, 'PATCH', `/web/calls/${logged.id}`, { duration_seconds: n + 1 })
      }
    }
  }
  /** Waits until it holds, or the writers are done. */
  const whileWriting = async (holds: () => boolean, pause = 20) => {
    while (!holds() && made < changes) await sleep(pause)
  }
  const changeSome = async () => {
    // No writer changes them, so that a later change does not hide one that is missed.
    const slow: string[] = []
    for (let n = 0; n < 10; n++)
      slow.push((await send(api, 'POST', '/api/v1/leads', { name: 'Slow', phone: `990000001${n}` })).id)
    for (let n = 0; made < changes; n++) await changeSlowly(slow[n % slow.length]!)
  }
  const killSome = async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await whileWriting(() => made >= (changes * kill) / (kills + 1))
      await end()
      output = running(program)
    }
  }
  const file = join(program.cwd, 'lead-engine.json')
  const stored = (): Lists & { checked: number } =>
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { leads: {}, 'call-logs': {}, checked: 0 }
  const watchChecks = async () => {
    for (let checked = 0; made < changes; ) {
      await whileWriting(() => stored().checked !== checked, 500)
      if (made < changes) checks++
      checked = stored().checked
    }
  }
  const started = performance.now()
  try {
    await Promise.all([
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
      changeSome(),
      killSome(),
      isChecked ? watchChecks() : undefined,
    ])
  } finally {
    made = changes
  }
  const seconds = (performance.now() - started) / 1000
  try {
    // The reading that finds the second mark began after the first one was found, so after all writers were done.
    for (const phone of ['9900000001', '9900000002']) {
      const mark = await send(api, 'POST', '/api/v1/leads', { name: 'Mark', phone })
      await until(() => stored().leads[mark.id] !== undefined, 'the mark in the file')
      await send(api, 'DELETE', `/api/v1/leads/${mark.id}`)
      if (isChecked) await until(() => stored().leads[mark.id] === undefined, 'no deleted mark in the file')
    }
  } finally {
    await end()
  }
  const expected = await serviceHas(api)
  const found = stored()
  const wrong = { missing: 0, stale: 0, notDeleted: 0, doubled }
  for (const list of ['leads', 'call-logs'] as const) {
    for (const [id, item] of Object.entries(expected[list]))
      if (!found[list][id]) wrong.missing++
      else if (!same(found[list][id], item)) wrong.stale++
    if (isChecked) wrong.notDeleted += Object.keys(found[list]).filter((id) => !expected[list][id]).length
  }
  const counts = { leads: Object.keys(expected.leads).length, calls: Object.keys(expected['call-logs']).length }
  return { ...counts, checks, seconds, wrong }
}

/** The order of fields is none of the program's business. */
function same(one: object, other: object): boolean {
  const sorted = (item: object) => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(one) === sorted(other)
}

async function serviceHas(api: Pick<Player, 'send'>): Promise<Lists> {
  const lists: Lists = { leads: {}, 'call-logs': {} }
  for (const list of ['leads', 'call-logs'] as const)
    for (let [offset, more] = [0, true]; more; offset += 500) {
      const { body } = await api.send('GET', `/api/v1/${list}?limit=500&offset=${offset}`)
      for (const item of body.data) lists[list][item.id] = item
      more = body.pagination.has_more
    }
  return lists
}
