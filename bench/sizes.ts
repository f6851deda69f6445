/**
 * `npm run bench:sizes`: what a lead, a call and a delivery take on disk with their indexes, timeline, audit log and counts. They are sent
 * to the real service, which also deletes and moves rows in the background; `--items 20000` of each kind.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { databaseUrl } from '../test/command-line.ts'
import { testDatabase } from '../test/database.ts'
import { account, addPlayer } from '../test/people.ts'
import { withTestServer } from '../test/server.ts'
import { startService } from '../test/service.ts'
import { until } from '../test/until.ts'
import { webhookOf } from '../test/webhooks.ts'

const { values } = parseArgs({ allowPositionals: true, options: { items: { type: 'string', default: '20000' } } })
const items = Number(values.items)
const connections = 8
/** Tables that take less than so many bytes of an item are only in its sum. */
const minBytes = 30

const contact = (n: number) => ({ email: `n${n}@example.com`, phone: `+919${String(n).padStart(9, '0')}` })

/** As a portal sends it. */
const payload = (n: number) => ({
  lead_id: `H-${n}`,
  received: '2026-11-21T10:30:00+05:30',
  buyer: { name: 'Meera Iyer', ...contact(n), city: 'Pune', preferred_time: 'After 6 pm' },
  property: {
    id: 884_120,
    title: '3 BHK in Baner, ready to move',
    price: 12_500_000,
    area: '1,450 sq ft',
    locality: 'Baner',
  },
  message: 'I am interested in this property. Call me with the price, the floor plan and a time to visit it.',
  campaign: { utm_source: 'portal', utm_medium: 'listing', utm_campaign: 'baner-november' },
})

await withTestServer(async () => {
  const store = await testDatabase()
  const service = await startService({
    DATABASE_URL: databaseUrl(store.connection),
    LOG_LEVEL: 'error',
    WEBHOOK_LIMIT_PER_MINUTE: '10000000',
  })
  try {
    const actor = await account(store.database, 'Acme')
    const asha = await addPlayer(store.database, service.url, actor, 'Asha', 'Admin', null)
    const hook = await webhookOf({ database: store.database, url: service.url }, actor)
    const ids: string[] = []
    const { length } = JSON.stringify(payload(items))
    const call = { call_type: 'Outbound', duration_seconds: 95, notes: 'Will bring his family on Sunday.' }
    const kinds: Record<string, (n: number) => Promise<{ status: number }>> = {
      'lead by the API': async (n) => {
        const answer = await asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', city: 'Pune', ...contact(n) })
        ids.push(answer.body.data.id)
        return answer
      },
      'call log': (n) => asha.send('POST', '/api/v1/call-logs', { lead_id: ids[n % items], ...call }),
      [`delivery of ${length} bytes that creates a lead`]: (n) => hook.send(payload(n)),
      [`delivery of ${length} bytes that merges into a lead`]: (n) =>
        hook.send({
          ...payload(n - items),
          lead_id: `H-${n}`,
          message: 'Is the flat still available? I can visit it on Sunday.',
        }),
      'delivery that is rejected': (n) => hook.send({ ...payload(n), buyer: {} }),
    }
    let sent = 0
    for (const [name, send] of Object.entries(kinds)) {
      const before = await sizes()
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (sent < items * (Object.keys(kinds).indexOf(name) + 1)) {
            const { status } = await send(sent++)
            if (status >= 429) throw new Error(`${name} was answered ${status}`)
          }
        }),
      )
      await until(countsAreMoved, 'moving the counts')
      report(name, before, await sizes())
    }
  } finally {
    await service.end()
    await store.close()
  }

  async function countsAreMoved() {
    await sleep(1000)
    const [row] =
      await store.owner`select (select count(*) from lead_count_changes) + (select count(*) from call_count_changes)
      + (select count(*) from delivery_count_changes) as n`
    return Number(row!.n) === 0
  }

  async function sizes(): Promise<Map<string, number>> {
    await store.owner.unsafe('vacuum')
    const rows = await store.owner<{ name: string; bytes: string }[]>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'`
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
  }
})

function report(name: string, before: Map<string, number>, after: Map<string, number>) {
  const grown = [...after].map(([table, bytes]) => ({ table, bytes: (bytes - before.get(table)!) / items }))
  const all = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  const parts = grown.filter(({ bytes }) => bytes >= minBytes).sort((one, other) => other.bytes - one.bytes)
  console.log(`${name}: ${Math.round(all)} bytes`)
  for (const { table, bytes } of parts) console.log(`  ${table.padEnd(28)}${String(Math.round(bytes)).padStart(7)}`)
}
