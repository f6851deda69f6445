import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, labelledEnquiries, newTally } from '#test/judge-enquiries.ts'
import { readPayloadSync } from '../reading.ts'

/** The least share that is read right, in percent: `npm run bench -- enquiries` says what is not. */
const least = { answers: 98, shown: 95, origin: 98, ids: 99, consent: 95 }

test('enquiries of payloads that others wrote are read right', () => {
  const tally = newTally()
  const problems = labelledEnquiries().flatMap((row) => judge(row, tally))
  for (const [kind, percent] of Object.entries(least)) {
    const { all, right } = tally[kind as keyof typeof tally]
    assert.ok((100 * right) / all >= percent, `${kind}: ${right} of ${all}\n${problems.join('\n')}`)
  }
})

function enquiryOf(payload: unknown) {
  const body = Buffer.from(JSON.stringify(payload))
  const read = readPayloadSync({ body, content_type: 'application/json', mapping: [], country: 'IN' })
  return 'reading' in read ? read.reading.enquiry : null
}

test('no secret, IP address or user agent is shown', () => {
  for (const { payload, name } of labelledEnquiries()) {
    const shown = JSON.stringify(enquiryOf(payload))
    assert.doesNotMatch(shown, /mozilla\/5|"(\d{1,3}\.){3}\d{1,3}"/i, name)
  }
})
