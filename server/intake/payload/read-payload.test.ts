import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readPayload, showPayload, stopIdleReaders } from './read-payload.ts'
import { type PayloadInput, readPayloadSync } from './reading.ts'

after(stopIdleReaders)

const inputOf = (body: string, content_type = 'application/json'): PayloadInput => ({
  body: Buffer.from(body),
  content_type,
  mapping: [],
  country: 'IN',
  withValues: true,
})

const form = [...Array.from({ length: 60_000 }, (_, index) => `k${index}=${index % 10}`), 'mobile=9812004417'].join('&')
const nested = Array.from({ length: 10 }).reduce<object>(
  (inner, _, depth) => ({ [`${depth} contact name `.padEnd(301, 'Ab ')]: inner }),
  Object.fromEntries(Array.from({ length: 1170 }, (_, index) => [`k${index}`, 'v'])),
)

test('a large body is read in a thread with the same result', async () => {
  for (const input of [
    inputOf(form, 'application/x-www-form-urlencoded'),
    inputOf(JSON.stringify(nested)),
    inputOf(JSON.stringify({ name: 'Asha', phone: '9812004417', message: 'x'.repeat(100_000) })),
    inputOf(`{"broken": "${'x'.repeat(10_000)}`),
  ]) {
    assert.deepEqual(await readPayload(input, 'account'), readPayloadSync(input))
  }
})

test('meanwhile this thread is idle', async () => {
  const input = inputOf(form, 'application/x-www-form-urlencoded')
  let turns = 0
  const other = setInterval(() => turns++)
  await readPayload(input, 'account')
  clearInterval(other)
  assert.ok(turns > 5, `other work had ${turns} turns`)
})

test('a large payload is shown in part', async () => {
  const list = Array.from({ length: 50_000 }, (_, index) => ({ index }))
  const payload = await showPayload(
    { ...inputOf(JSON.stringify({ name: 'Asha', text: 'x'.repeat(50_000), list })) },
    'account',
  )
  assert.equal(payload?.name, 'Asha')
  assert.ok(JSON.stringify(payload).length < 100_000)
  assert.equal(await showPayload(inputOf('x'.repeat(50_000)), 'account'), null)
})
