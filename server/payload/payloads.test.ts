import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { phoneKey } from '../leads/contact.ts'
import { mappedFields } from './contract.ts'
import { mapPayload, type Reading } from './map-payload.ts'
import { readPath } from './path.ts'
import { followPath } from './recognition/follow-path.ts'
import { Opener } from './recognition/open-value.ts'

const fields = ['name', 'email', 'phone', 'company', 'city', 'source', 'notes'] as const
type Field = (typeof fields)[number]
type Sample = { platform: string; payload: Record<string, unknown>; expected: Partial<Record<Field, string>> }

const corpora = ['payloads', 'more-payloads', 'later-payloads', 'further-payloads']

for (const corpus of corpora) {
  test(`the senders of test/${corpus} are read without any mapping`, (t) => {
    const samples = samplesOf(corpus)
    let expected = 0
    let right = 0
    let wrong = 0
    const misses: string[] = []
    for (const sample of samples) {
      const reading = mapPayload(sample.payload, { mapping: [], country: 'IN' })
      for (const field of fields) {
        const want = sample.expected[field]?.trim()
        const got = fieldOf(reading, field)
        if (want !== undefined) expected++
        if (got === want) right += want === undefined ? 0 : 1
        else if (field === 'phone' && want && got && phoneKey(want, 'IN') === phoneKey(got, 'IN')) {
          right++
          misses.push(`  (spelled otherwise) ${sample.platform} phone: ${got}, expected ${want}`)
        } else {
          if (got !== undefined) wrong++
          misses.push(
            `${got === undefined ? 'missed' : 'WRONG '} ${sample.platform} ${field}: ${got}, expected ${want}`,
          )
        }
      }
    }
    const share = (count: number) => `${((100 * count) / expected).toFixed(2)} %`
    t.diagnostic(
      `${samples.length} senders: ${right} of ${expected} fields right (${share(right)}), ${wrong} wrong (${share(wrong)})`,
    )
    for (const miss of misses) t.diagnostic(miss)
    assert.ok(right / expected >= 0.98, 'at least 98 % of the expected fields are right')
    assert.ok(wrong / expected <= 0.01, 'at most 1 % of the fields are wrong')
  })
}

test('every field recognised can be mapped by its path, and every path leads to its value', () => {
  for (const { platform, payload } of corpora.flatMap(samplesOf)) {
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
  const samples = corpora.flatMap(samplesOf)
  const unmapped = samples.map(({ payload }) => mapPayload(payload, { mapping: [], country: 'IN' }))
  fc.assert(
    fc.property(
      fc.nat(samples.length - 1),
      fc.uniqueArray(fc.constantFrom(...mappedFields), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('no.such.path', 'no_such_key', 'nowhere[3].value', '["No such question?"]'),
      (at, mapped, path) => {
        const mapping = mapped.map((field) => ({ path, field }))
        const reading = mapPayload(samples[at]!.payload, { mapping, country: 'IN' })
        assert.deepEqual({ ...reading, absent: [] }, unmapped[at])
        assert.equal(reading.absent.length, mapping.length)
      },
    ),
    { numRuns: 500 },
  )
})

function samplesOf(corpus: string): Sample[] {
  const directory = new URL(`../../test/${corpus}/`, import.meta.url)
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  return names.map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Sample)
}

/** Without a name that was taken from the email or phone. */
function fieldOf({ lead, picks }: Reading, field: Field): string | undefined {
  const stated = field !== 'name' || picks.some((pick) => /name/.test(pick.field))
  return stated ? lead[field]?.trim() : undefined
}
