import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge, knownPayloads } from '#test/labelled-payloads.ts'
import { mappedFields } from './contract.ts'
import { mapPayload } from './map-payload.ts'
import { readPath } from './path.ts'
import { followPath } from './recognition/follow-path.ts'
import { Opener } from './recognition/open-value.ts'

test('the labelled payloads are read without any mapping', (t) => {
  const { fields, rejected, invented } = judge(knownPayloads)
  const expected = fields.filter(({ want }) => want !== undefined).length
  const share = (result: string) => fields.filter((one) => one.result === result).length / expected
  for (const { platform, field, result, got, want } of fields)
    if (result !== 'right') t.diagnostic(`${result} ${platform} ${field}: ${got}, expected ${want}`)
  assert.ok(share('right') >= 0.99, 'at least 99 % of the expected fields are right')
  assert.ok(share('wrong') <= 0.01, 'at most 1 % of the fields are wrong')
  assert.deepEqual(rejected, [], 'no real lead is rejected')
  assert.deepEqual(invented, [], 'no event becomes a lead')
})

/** The origin of those that this project began with. */
const originOfFirst = 'The body that the platform sends; the values are invented.'

test('the payloads of the first platforms are all read right', () => {
  const { fields } = judge(knownPayloads.filter(({ origin }) => origin === originOfFirst))
  assert.deepEqual(
    fields.filter(({ result }) => result !== 'right'),
    [],
  )
  assert.ok(fields.length > 200)
})

test('every field recognised can be mapped by its path, and every path leads to its value', () => {
  for (const { platform, payload } of knownPayloads) {
    const first = mapPayload(payload, { mapping: [], country: 'IN' })
    const mapping = first.picks.map(({ path, field }) => ({ path, field }))
    assert.deepEqual(mapPayload(payload, { mapping, country: 'IN' }).lead, first.lead, platform)
    for (const text of first.unmapped) {
      const path = readPath(text)
      assert.ok(path && followPath(payload, path, new Opener()), `${platform} ${text}`)
    }
  }
})

test('a mapped path that a payload does not have changes nothing', () => {
  const unmapped = knownPayloads.map(({ payload }) => mapPayload(payload, { mapping: [], country: 'IN' }))
  fc.assert(
    fc.property(
      fc.nat(knownPayloads.length - 1),
      fc.uniqueArray(fc.constantFrom(...mappedFields), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('no.such.path', 'no_such_key', 'nowhere[3].value', '["No such question?"]'),
      (at, mapped, path) => {
        const mapping = mapped.map((field) => ({ path, field }))
        const reading = mapPayload(knownPayloads[at]!.payload, { mapping, country: 'IN' })
        assert.deepEqual({ ...reading, absent: [] }, unmapped[at])
        assert.equal(reading.absent.length, mapping.length)
      },
    ),
    { numRuns: 500 },
  )
})
