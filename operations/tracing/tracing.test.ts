import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { ask, people } from '#test/people.ts'
import { startService } from '#test/service.ts'
import { webhookOf } from '#test/webhooks.ts'
import { isTracingWanted, openTracing } from './tracing.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** Receives traces as a collector does. */
const received: { path: string; text: string }[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    received.push({ path: request.url!, text })
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(collector.address() as { port: number }).port}`
const store = await testDatabase()
after(async () => {
  await store.close()
  collector.closeAllConnections()
  collector.close()
})

function spans(): Span[] {
  return received.flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap((part: { scopeSpans: { spans: Span[] }[] }) =>
      part.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
}

async function spanNamed(name: string, isIt: (span: Span) => boolean = () => true): Promise<Span> {
  for (const deadline = Date.now() + 15_000; ; await sleep(50)) {
    const span = spans().find((one) => one.name === name && isIt(one))
    if (span) return span
    assert.ok(Date.now() < deadline, `no span ${name}`)
  }
}

test('requests and their work in the database are traced, without URLs and values', async (t) => {
  const service = await startService({
    DATABASE_URL: databaseUrl(store.connection),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: 'leads-in-pune',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    TRUST_PROXY: '127.0.0.1',
  })
  t.after(() => service.end('SIGKILL'))
  const { acme, asha } = await people({ database: store.database, url: service.url })
  const webhook = await webhookOf({ database: store.database, url: service.url }, acme)
  assert.equal((await webhook.send({ name: 'Uma Devi', phone: '9820077001' })).status, 200)
  const delivery = await spanNamed('POST /webhook/:token')
  const work = await spanNamed('database write', ({ parentSpanId }) => parentSpanId === delivery.spanId)
  assert.equal(work.traceId, delivery.traceId)
  const attribute = (name: string) => delivery.attributes.find(({ key }) => key === name)?.value
  assert.equal(attribute('http.route')?.stringValue, '/webhook/:token')
  assert.equal(attribute('http.response.status_code')?.intValue, 200)

  const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  await asha.send('GET', '/api/v1/leads', undefined, { traceparent: `00-${caller.traceId}-${caller.spanId}-01` })
  const listed = await spanNamed('GET /api/v1/leads', ({ traceId }) => traceId === caller.traceId)
  assert.equal(listed.parentSpanId, caller.spanId)
  await spanNamed('database readBriefly', ({ parentSpanId }) => parentSpanId === listed.spanId)
  await ask(service.url, null, 'GET', '/readyz')

  assert.equal(await service.end(), 0)
  const all = received.map(({ text }) => text).join('\n')
  assert.match(all, /"leads-in-pune"/)
  assert.ok(received.every(({ path }) => path === '/v1/traces'))
  assert.ok(!spans().some(({ name }) => name.includes('readyz')))
  for (const secret of [webhook.token, asha.key.secret, '9820077001', 'Uma Devi']) assert.ok(!all.includes(secret))
})

for (const [what, env, wanted] of [
  ['no variable', {}, false],
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, true],
  ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, true],
  ['the SDK disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }, false],
  ['another exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
] as const) {
  test(`with ${what}, traces are ${wanted ? 'sent' : 'not sent'}`, async () => {
    assert.equal(isTracingWanted(env), wanted)
    if (!wanted) assert.equal(await openTracing(env, assert.fail), null)
  })
}

test('a protocol that is not supported stops the start', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  assert.throws(
    () => isTracingWanted(env),
    /^Error: OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent over HTTP/,
  )
})
