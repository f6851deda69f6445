import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxListed, type QueuedLead, type QueueReason } from '#contract/selling/call-queue'
import { arrivalsIn } from './arrivals.ts'

const lead = (id: string, reason: QueueReason = 'new', since = '2026-11-28T05:00:00Z') =>
  ({ id, reason, since }) as QueuedLead
const place = ({ id, reason, since }: QueuedLead) => `${id} ${reason} ${since}`
const known = (...leads: QueuedLead[]) => new Set(leads.map(place))
const came = (leads: QueuedLead[], before: ReadonlySet<string>) =>
  [...arrivalsIn(leads, before)].map(([reason, some]) => [reason, some.map(({ id }) => id)])

test('what came is announced by reason, also for a lead that has another reason now', () => {
  const [a, b] = [lead('a'), lead('b')]
  assert.deepEqual(came([a, b], known(a, b)), [])
  const missed = lead('b', 'missed')
  const sooner = lead('c', 'due')
  assert.deepEqual(came([sooner, missed, lead('d'), a], known(a, b)), [
    ['due', ['c']],
    ['missed', ['b']],
    ['new', ['d']],
  ])
})

test('leads to retry are not announced, nor those that move up to the end of a full list', () => {
  const a = lead('a')
  assert.deepEqual(came([a, lead('b', 'not_reached'), lead('c', 'going_cold')], known(a)), [])
  const full = Array.from({ length: maxListed }, (_, n) => lead(`${n}`))
  assert.deepEqual(came([...full.slice(1), lead('after')], known(...full)), [])
  assert.deepEqual(came([lead('first'), ...full.slice(1)], known(...full)), [['new', ['first']]])
})
