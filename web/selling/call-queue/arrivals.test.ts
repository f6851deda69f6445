import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxListed, type QueuedLead, type QueueReason } from '#contract/selling/call-queue'
import { arrivalsIn, hear, hearOpened, type News, noNews } from './arrivals.ts'

const at = '2026-11-28T05:00:00Z'
const now = Date.parse(at)
const lead = (id: string, reason: QueueReason = 'new', since = at, last_call_at: string | null = null) =>
  ({ id, reason, since, last_call_at }) as QueuedLead
const heard = (...leads: QueuedLead[]) => hear(noNews, leads, now)
const announced = (news: News, leads: QueuedLead[], time = now) => {
  const { due, others } = arrivalsIn(news, leads, time)
  return [...due, ...others.map(({ lead }) => lead)].map(({ id, reason }) => `${reason} ${id}`)
}
const came = (before: News, ...leads: QueuedLead[]) => announced(hear(before, leads, now), leads)

test('what came is announced by reason, also for a lead that has another reason now', () => {
  const [a, b] = [lead('a'), lead('b')]
  assert.deepEqual(came(noNews, a, b), [])
  assert.deepEqual(came(heard(a, b), a, b), [])
  const more = [lead('c', 'due'), lead('b', 'missed'), lead('d'), a]
  assert.deepEqual(came(heard(a, b), ...more), ['due c', 'missed b', 'new d'])
})

test('leads to retry are not announced, nor those that move up to the end of a full list', () => {
  const a = lead('a')
  assert.deepEqual(came(heard(a), a, lead('b', 'not_reached'), lead('c', 'no_next_step')), [])
  const full = Array.from({ length: maxListed }, (_, n) => lead(`${n}`))
  assert.deepEqual(came(heard(...full), ...full.slice(1), lead('after')), [])
  assert.deepEqual(came(heard(...full), lead('first'), ...full.slice(1)), ['new first'])
  const moved = hear(heard(...full), [...full.slice(1), lead('after')], now)
  assert.deepEqual(came(moved, lead('first'), lead('after'), ...full.slice(2)), ['new first'])
  assert.deepEqual(came(heard(...full), ...full.map((_, n) => lead(`other ${n}`))), [])
})

test('an announcement stays until its lead is opened, called or gone', () => {
  const [a, b, c] = [lead('a'), lead('b'), lead('c')]
  let news = hear(heard(a), [b, c, a], now)
  news = hear(news, [b, c], now)
  assert.deepEqual(announced(news, [b, c]), ['new b'])
  news = hearOpened(news, 'b')
  assert.deepEqual(announced(news, [b, c]), ['new c'])
  news = hear(news, [b, c], now)
  assert.deepEqual(announced(news, [b, c]), ['new c'])
  news = hear(news, [b], now)
  assert.deepEqual(announced(hear(news, [b], now), [b]), [])
  const missed = hear(heard(a), [lead('m', 'missed'), a], now)
  assert.deepEqual(announced(missed, [lead('m', 'missed', at, at), a]), ['missed m'])
  assert.deepEqual(announced(missed, [lead('m', 'missed', at, '2026-11-28T05:01:00Z'), a]), [])
})

test('a promised call is announced at its time, not when it comes up before', () => {
  const promised = lead('p', 'due', '2026-11-28T05:10:00Z')
  const news = hear(heard(lead('a')), [promised, lead('a')], now)
  assert.deepEqual(announced(news, [promised]), [])
  const due = now + 600_000
  assert.deepEqual(announced(hear(news, [promised], due), [promised], due), ['due p'])
  const skipped = hearOpened(hear(news, [promised], now), 'p')
  assert.deepEqual(announced(hear(skipped, [promised], due), [promised], due), ['due p'])
})
