import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge, samplePayloads } from '#test/labelled-payloads.ts'
import { mappedFields } from './contract.ts'
import { mapPayload } from './map-payload.ts'
import { readPath } from './path.ts'
import { followPath } from './structure/follow-path.ts'
import { Opener } from './structure/open-value.ts'

test('the sample of labelled payloads, which the weights are learned from, is read', () => {
  const { fields, rejected, invented } = judge(samplePayloads)
  const failures = fields.filter(({ result }) => result !== 'right')
  const found = failures.map(({ platform, field, result }) => `${platform} ${field} ${result}`)
  assert.ok(fields.length > 1500)
  assert.ok(failures.length <= 0.015 * fields.length, found.join(', '))
  assert.deepEqual(rejected, [], 'no real lead is rejected')
  assert.ok(invented.length <= 1, `events became leads: ${invented.join(', ')}`)
})

test('every field recognised can be mapped by its path, and every path leads to its value', () => {
  for (const { platform, payload } of samplePayloads) {
    const first = mapPayload(payload, { mapping: [], country: 'IN' })
    const used = first.picks.filter(({ confidence }) => confidence !== 'suggested')
    const mapping = used.map(({ path, field }) => ({ path, field }))
    const { lead } = mapPayload(payload, { mapping, country: 'IN' })
    // What was only suggested may be sure beside what is mapped.
    const mapped = Object.fromEntries(Object.entries(lead).filter(([field]) => field in first.lead))
    assert.deepEqual(mapped, first.lead, platform)
    for (const text of first.unmapped) {
      const path = readPath(text)
      assert.ok(path && followPath(payload, path, new Opener()), `${platform} ${text}`)
    }
  }
})

test('a mapped path that a payload does not have changes nothing', () => {
  const unmapped = samplePayloads.map(({ payload }) => mapPayload(payload, { mapping: [], country: 'IN' }))
  fc.assert(
    fc.property(
      fc.nat(samplePayloads.length - 1),
      fc.uniqueArray(fc.constantFrom(...mappedFields), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('no.such.path', 'no_such_key', 'nowhere[3].value', '["No such question?"]'),
      (at, mapped, path) => {
        const mapping = mapped.map((field) => ({ path, field }))
        const reading = mapPayload(samplePayloads[at]!.payload, { mapping, country: 'IN' })
        assert.deepEqual({ ...reading, absent: [] }, unmapped[at])
        assert.equal(reading.absent.length, mapping.length)
      },
    ),
    { numRuns: 500 },
  )
})
