import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './people.ts'
import { plainEnv, root, startService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-durability-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const env = { DATA_DIR: join(folder, 'data') }

const command = (...args: string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'server/main.ts'), ...args, '--json'], {
      env: plainEnv(env),
      encoding: 'utf8',
    }),
  )

const acknowledged = { leads: new Set<string>(), calls: new Set<string>(), delivered: new Set<string>() }

/** Writes until the service is killed, and returns the acknowledged writes. */
async function load(url: string, key: string, webhook: string, going: { on: boolean }) {
  const gone = { status: 0, body: null }
  while (going.on) {
    const email = `${randomUUID()}@example.com`
    const lead = await ask(url, key, 'POST', '/api/v1/leads', { name: 'Ravi', email }).catch(() => gone)
    if (lead.status === 0) return
    if (lead.status !== 201) continue
    acknowledged.leads.add(lead.body.data.id)
    const call = { lead_id: lead.body.data.id, call_type: 'Inbound', duration_seconds: 5 }
    const [called, merged, delivered] = await Promise.all([
      ask(url, key, 'POST', '/api/v1/call-logs', call).catch(() => gone),
      ask(url, key, 'POST', '/api/v1/leads', { name: 'Ravi', email, tags: ['again'] }).catch(() => gone),
      ask(url, null, 'POST', webhook, { name: 'Meena', email: `w${email}` }).catch(() => gone),
    ])
    assert.ok(
      [0, 201, 503].includes(called.status) &&
        [0, 200, 503].includes(merged.status) &&
        [0, 200, 503].includes(delivered.status),
      `${called.status} ${merged.status} ${delivered.status}`,
    )
    if (called.status === 201) acknowledged.calls.add(called.body.data.id)
    if (delivered.status === 200) acknowledged.delivered.add(delivered.body.data.id)
  }
}

async function nothingIsLost(url: string, key: string, webhookId: string) {
  const found = { leads: new Set<string>(), calls: new Set<string>() }
  for (const [kind, path] of [
    ['leads', 'leads'],
    ['calls', 'call-logs'],
  ] as const) {
    for (let offset = 0; ; offset += 500) {
      const { status, body } = await ask(url, key, 'GET', `/api/v1/${path}?limit=500&offset=${offset}`)
      assert.equal(status, 200)
      for (const { id } of body.data) found[kind].add(id)
      if (!body.pagination.has_more) {
        assert.equal(found[kind].size, body.pagination.total, 'the total is exact')
        break
      }
    }
  }
  assert.deepEqual([...acknowledged.leads.difference(found.leads)], [])
  assert.deepEqual([...acknowledged.delivered.difference(found.leads)], [])
  assert.deepEqual([...acknowledged.calls.difference(found.calls)], [])
  const deliveries = command('webhook', 'deliveries', webhookId)
  const newest = [...acknowledged.delivered].slice(-20)
  for (const id of newest)
    assert.ok(
      deliveries.some((delivery: { lead_id: string }) => delivery.lead_id === id),
      id,
    )
}

test('acknowledged writes survive kill -9 of service and database under load', {
  timeout: 150_000,
}, async (t) => {
  let service = await startService(env)
  t.after(() => service.end())
  t.diagnostic(`first start: ${service.ms} ms`)
  const key = /le_live_\w+/.exec(service.said())![0]
  const { id, url } = command('webhook', 'create', '--account', 'My company', '--name', 'Site', '--source', 'Site')
  const path = new URL(url).pathname

  for (const who of ['service and database', 'the database alone', 'the service alone']) {
    const going = { on: true }
    const clients = Array.from({ length: 6 }, () => load(service.url, key, path, going))
    await sleep(700)
    const before = acknowledged.leads.size
    assert.ok(before > 0)
    const postmaster = Number(readFileSync(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    if (who !== 'the database alone') service.child.kill('SIGKILL')
    if (who !== 'the service alone') process.kill(postmaster, 'SIGKILL')
    if (who === 'the database alone') {
      // The service still runs, and accepts leads again by itself.
      for (const patience = Date.now() + 20_000; acknowledged.leads.size < before + 50; await sleep(50)) {
        assert.ok(Date.now() < patience && service.child.exitCode === null, service.said().slice(-2000))
      }
      going.on = false
      await Promise.all(clients)
    } else {
      await Promise.all(clients)
      service = await startService({ ...env, PORT: service.port })
      t.diagnostic(`start after kill -9 of ${who}: ${service.ms} ms`)
    }
    await nothingIsLost(service.url, key, id)
  }
  assert.equal(await service.end(), 0)
  service = await startService({ ...env, PORT: service.port })
  t.diagnostic(`later start: ${service.ms} ms`)
  await nothingIsLost(service.url, key, id)
  t.diagnostic(
    `${acknowledged.leads.size} leads, ${acknowledged.calls.size} calls, ${acknowledged.delivered.size} deliveries`,
  )
})
