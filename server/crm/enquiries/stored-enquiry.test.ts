import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fitEnquiry, noEnquiry } from './enquiry.ts'
import { joinEnquiry, keptOf, type StoredEnquiry } from './stored-enquiry.ts'

const at = new Date('2026-11-29T10:00:00Z')
const minutes = (n: number) => new Date(at.getTime() + n * 60_000)
const enquiry = (more: Partial<StoredEnquiry> = {}): StoredEnquiry => ({
  ...noEnquiry,
  at,
  last_at: at,
  via: 'webhook',
  via_id: 'one',
  platform: null,
  source: 'Meta',
  is_repeat: false,
  message: null,
  ...more,
})
const budget = { question: 'Budget', answer: '60 lakh' }
const last = enquiry({ id: 7, answers: [budget], message: 'Hello', origin: { campaign: 'Wakad' } })

const table: [what: string, next: StoredEnquiry, joins: boolean][] = [
  ['of the same webhook after ten minutes', enquiry({ at: minutes(10), message: 'More' }), true],
  ['of the same webhook after eleven', enquiry({ at: minutes(11) }), false],
  ['that was sent before, but comes later', enquiry({ at: minutes(-5), message: 'First' }), true],
  ['of another webhook, with the same', enquiry({ at: minutes(2), via_id: 'two', answers: [budget] }), true],
  ['of another webhook, with less', enquiry({ at: minutes(2), via_id: 'two' }), true],
  ['of another webhook, with more', enquiry({ at: minutes(2), via_id: 'two', message: 'New' }), false],
  [
    'of a key, with another answer',
    enquiry({ at, via: 'api_key', answers: [{ ...budget, answer: '1 crore' }] }),
    false,
  ],
]
for (const [what, next, joins] of table)
  test(`a submission ${what} is ${joins ? 'the same' : 'another'} enquiry`, () => {
    const joined = joinEnquiry(last, next, { replaces: false })
    assert.equal(joined !== null, joins)
    if (joined) assert.deepEqual([joined.id, joined.answers[0], joined.origin.campaign], [7, budget, 'Wakad'])
  })

test('what a submission adds is kept once, and the first origin stays', () => {
  const more = {
    answers: [budget, { question: 'Floor', answer: '4' }],
    message: 'Hello',
    origin: { campaign: 'Baner', gclid: 'x' },
  }
  const joined = joinEnquiry(last, enquiry({ at: minutes(3), ...more }), { replaces: false })!
  assert.deepEqual(joined.answers, more.answers)
  assert.deepEqual(joined.origin, { campaign: 'Wakad', gclid: 'x' })
  assert.deepEqual([joined.message, joined.last_at], ['Hello', minutes(3)])
})

test('a delivery that is read again replaces what it made', () => {
  const joined = joinEnquiry(last, enquiry({ answers: [] }), { replaces: true })!
  assert.deepEqual([joined.id, joined.answers, joined.message], [7, [], null])
})

test('an enquiry of any texts fits, has no control characters, and says how many answers are left out', () => {
  const text = fc.oneof(fc.string({ maxLength: 50, unit: 'binary' }), fc.constant('x'.repeat(9000)))
  const answers = fc.array(fc.record({ question: text, answer: text }), { maxLength: 130 })
  fc.assert(
    fc.property(answers, text, (answers, campaign) => {
      const fitted = fitEnquiry({ ...noEnquiry, answers, origin: { campaign } })
      assert.equal(fitted.answers.length + fitted.omitted, answers.length)
      assert.ok(fitted.answers.length <= 100)
      const json = JSON.stringify(fitted)
      assert.ok(Buffer.byteLength(json) < 20_000)
      assert.doesNotMatch(json, /\\u00[01]|\\ud[89a-f]/)
    }),
  )
})

test('a lead keeps the campaign of UTM, and ids where no name is given', () => {
  assert.deepEqual(keptOf({ utm_campaign: ' Diwali ', ad_id: '12', form: 'x'.repeat(300) }), {
    product: null,
    campaign: 'Diwali',
    ad: '12',
    form: 'x'.repeat(200),
  })
})
