import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rupeesIn } from '../server/leads/contract.ts'
import { countriesLike, countryOptions } from '../web/account/countries.ts'
import { sentenceOfRun } from '../web/audit/audit-words.ts'
import { detailsOf } from '../web/audit/detail-words.ts'
import type { Run } from '../web/audit/runs.ts'
import { exampleLines, refusedLines } from '../web/lead-import/csv.ts'
import { secondsOf } from '../web/leads/lead/call-length.ts'
import { deviceOf } from '../web/profile/device.ts'
import { count, days, oneOf, parseSearch, stringifySearch, text } from '../web/search.ts'
import { appCodeIn, backupCodeIn } from '../web/sign-in/code.ts'
import { changesOf } from '../web/ui/form-changes.ts'
import { formatCount, formatMoney, formatNumber } from '../web/ui/numbers.ts'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatIsoDate,
  formatRelative,
  formatSpan,
  istDay,
} from '../web/ui/time.ts'
import { recordsSentence, replayedOf, replayedWords } from '../web/webhooks/record-words.ts'

test('the records of a request are counted, also beyond those that were read', () => {
  assert.equal(
    recordsSentence({ total: 3, more: false, leads: 1, ignored: 0, rejected: 2 }),
    'The first of 3 records is shown. 1 makes a lead, 2 are rejected.',
  )
  assert.equal(
    recordsSentence({ total: 5000, more: true, leads: 98, ignored: 1, rejected: 1 }),
    'The first of more than 5,000 records is shown. Of the first 100, 98 make a lead, 1 is ignored, 1 is rejected.',
  )
  const counts = { created: 98, merged: 1, duplicate: 0, rejected: 1, ignored: 0, test: 0, waiting: 30 }
  assert.equal(replayedWords(counts), '98 created, 1 merged, 1 still rejected, 30 waiting for another replay')
  assert.equal(replayedOf(counts), 100)
})

test('the length of a call is minutes and seconds, hours before them, or whole minutes', () => {
  for (const [typed, seconds] of [
    ['2:35', 155],
    [' 2:05 ', 125],
    ['0:07', 7],
    ['3', 180],
    ['1:02:05', 3725],
    ['90:00', 5400],
    ['2:60', null],
    ['1:60:00', null],
    ['2.5', null],
    ['-1', null],
    ['1:2:3:4', null],
    [':30', null],
    ['two', null],
    ['', null],
  ] as const)
    assert.equal(secondsOf(typed), seconds, typed)
})

test('rupees are read as people in India write them, and nothing else is', () => {
  for (const [typed, rupees] of [
    ['1,25,000', 125_000],
    ['12,50,000.50', 1_250_000.5],
    ['₹ 50,000', 50_000],
    ['Rs. 50,000/-', 50_000],
    ['Rs.50000', 50_000],
    ['INR 500', 500],
    ['1.25 lakh', 125_000],
    ['2.5 Lakhs', 250_000],
    ['5L', 500_000],
    ['1.1 Cr', 11_000_000],
    ['80k', 80_000],
    ['0', 0],
    ['-500', undefined],
    ['5e5', undefined],
    ['40-50 lakh', undefined],
    ['9999999 crore', undefined],
    ['about ten', undefined],
    ['', undefined],
  ] as const)
    assert.equal(rupeesIn(typed), rupees, typed)
})

test('times are said in IST, whatever clock the reader has', () => {
  assert.equal(formatDateTime('2026-11-21T05:00:00Z'), '21 Nov 2026, 10:30')
  assert.equal(formatDateTime('2026-11-21T18:30:00Z'), '22 Nov 2026, 00:00')
  assert.equal(formatDate('2026-11-21T18:29:59Z'), '21 Nov 2026')
  assert.equal(formatDate('2026-12-31T18:30:00Z'), '1 Jan 2027')
  assert.equal(formatIsoDate('2026-11-01'), '1 Nov')
  assert.match(istDay(), /^\d{4}-\d\d-\d\d$/)
})

test('how long ago is said in the largest unit that fits', () => {
  const now = Date.parse('2026-11-21T05:00:00Z')
  for (const [seconds, words] of [
    [10, 'just now'],
    [-10, 'just now'],
    [50, '50 s ago'],
    [59.7, '1 min ago'],
    [59 * 60, '59 min ago'],
    [3 * 3600, '3 h ago'],
    [6 * 86_400, '6 d ago'],
    [-6 * 86_400, 'in 6 d'],
    [61 * 86_400, '2 mo ago'],
    [800 * 86_400, '2 y ago'],
  ] as const)
    assert.equal(formatRelative(now - seconds * 1000, now), words)
  assert.equal(formatSpan(15 * 3600), '15 h')
})

test('a call lasts minutes and seconds, and hours where there are any', () => {
  assert.deepEqual([0, 7, 95, 3600, 3725].map(formatDuration), ['0:00', '0:07', '1:35', '1:00:00', '1:02:05'])
})

test('money and counts are grouped as in India', () => {
  assert.deepEqual([0, 125_000, 12_000_000, 1250.5].map(formatMoney), ['₹0', '₹1,25,000', '₹1,20,00,000', '₹1,250.50'])
  assert.equal(formatNumber(1_234_567), '12,34,567')
  assert.deepEqual(
    [formatCount(1, 'lead'), formatCount(0, 'lead'), formatCount(2, 'person', 'people')],
    ['1 lead', '0 leads', '2 people'],
  )
})

test('an address holds plain words, and what it holds is read back; what does not fit is left out', () => {
  const given = { status: 'New', search: 'सुनीता & co', offset: 50, add: undefined, source: '' }
  const address = stringifySearch(given)
  assert.equal(address.includes('"'), false)
  const read = parseSearch(address)
  assert.deepEqual(read, { status: 'New', search: 'सुनीता & co', offset: '50' })
  assert.equal(text(read, 'search'), 'सुनीता & co')
  assert.equal(oneOf(read, 'status', ['New', 'Won']), 'New')
  assert.equal(oneOf({ status: 'new' }, 'status', ['New', 'Won']), undefined)
  assert.deepEqual(
    ['50', '0', '-1', '1.5', 'x', '', undefined].map((offset) => count({ offset }, 'offset')),
    [50, undefined, undefined, undefined, undefined, undefined, undefined],
  )
  assert.deepEqual(
    ['2026-11-21', '2026-13-01', '21-11-2026', 'zzz', ''].map((from_date) => days({ from_date }).from_date),
    ['2026-11-21', undefined, undefined, undefined, undefined],
  )
  assert.equal(stringifySearch({}), '')
})

test('a session is named by the browser and the system a person would name', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  for (const [agent, name, isPhone] of [
    [`Mozilla/5.0 (Linux; Android 15) ${chrome} Mobile Safari/537.36`, 'Chrome on Android', true],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0`, 'Edge on Windows', false],
    [
      `Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 ${chrome} Mobile Safari/537.36`,
      'Samsung Internet on Android',
      true,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari on iPhone',
      true,
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS', false],
    ['curl/8.5.0', 'Unknown device', false],
    [null, 'Unknown device', false],
  ] as const)
    assert.deepEqual(deviceOf(agent), { name, isPhone })
})

test('refused rows go back as they came, but for what a spreadsheet would run', () => {
  const [head, row] = refusedLines(
    ['Name', 'Phone', 'City'],
    [{ reason: 'It has no phone, no email', cells: ['=HYPERLINK("x")', ' ＋91'] }],
  )
    .join('')
    .split(/(?<=\n)/)
  assert.equal(head, 'Name,Phone,City,Why refused\r\n')
  assert.equal(row, `"'=HYPERLINK(""x"")",' ＋91,,"It has no phone, no email"\r\n`)
  const [names, example] = exampleLines
    .join('')
    .split('\n')
    .map((line) => line.split(',').length)
  assert.equal(names, example)
})

test('the country that is typed comes before those that hold its name', () => {
  const first = (typed: string) => countriesLike(countryOptions(), typed)[0]?.value
  assert.deepEqual(['India', 'ind', '+91', '91', 'US', 'states', 'niger', 'Guinea', 'kingdom', 'atlantis'].map(first), [
    'IN',
    'IN',
    'IN',
    'IN',
    'US',
    'US',
    'NE',
    'GN',
    'GB',
    undefined,
  ])
})

test('a code is read with the blanks and dashes it is shown or typed with, or without', () => {
  assert.deepEqual(['123 456', ' 123-456 ', '123456'].map(appCodeIn), ['123456', '123456', '123456'])
  for (const typed of ['abcde-fGh1J', ' abcde fGh1J', 'abcdefGh1J']) assert.equal(backupCodeIn(typed), 'abcde-fGh1J')
})

test('what was not changed in a form is not sent', () => {
  const before = { name: 'Portal', permissions: ['read', 'write'], team: null }
  assert.deepEqual(changesOf(before, { ...before, permissions: ['read', 'write'] }), {})
  assert.deepEqual(changesOf(before, { ...before, name: 'IVR', permissions: ['read'] }), {
    name: 'IVR',
    permissions: ['read'],
  })
})

test('the audit log states no number of what it has not seen the end of, and speaks as the forms do', () => {
  const entry = (action: string, details = {}) => ({ ...someEntry, action, details })
  const leads: Run = [entry('lead.created'), entry('lead.created')]
  assert.equal(sentenceOfRun(leads, false), 'created 2 leads')
  assert.equal(sentenceOfRun(leads, true), 'created at least 2 leads')
  const replayed: Run = [
    entry('delivery.replayed', { outcome: 'created' }),
    entry('delivery.replayed', { outcome: 'rejected' }),
  ]
  assert.equal(sentenceOfRun(replayed, false), 'replayed 2 deliveries: 1 created, 1 refused')
  assert.equal(sentenceOfRun(replayed, true), 'replayed at least 2 deliveries')

  const details = {
    default_assignee: null,
    ip_whitelist: [],
    permissions: ['read', 'write'],
    fields: ['deal_value', 'city'],
    mapping: [
      { path: 'town', field: 'city' },
      { path: 'ref', field: 'ignore' },
    ],
  }
  assert.deepEqual(
    detailsOf(entry('webhook.changed', details), () => undefined).map(({ label, text }) => [label, text]),
    [
      ['Default assignee', 'By distribution rules'],
      ['IP whitelist', 'Everywhere'],
      ['Permissions', 'Read\nWrite'],
      ['Fields', 'Deal value\nCity'],
      ['Mapping', 'town → City\nref → Not used'],
    ],
  )
})

const someEntry = {
  id: '1',
  at: '2026-11-21T05:00:00Z',
  via: 'web' as const,
  via_name: null,
  user: null,
  subject_id: null,
  subject_name: null,
}
