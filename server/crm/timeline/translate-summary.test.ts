import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isThorough } from '#test/budget.ts'
import { callerId } from '../../access/sign-in/caller.ts'
import { translate, withValues } from '../../platform/languages/translate.ts'
import { awaySentence } from '../availability/availability.ts'
import { limitToday, reasons } from '../distribution/reasons.ts'
import { leadPriorities, leadStatuses } from '../leads/fields.ts'
import * as summaries from './summaries.ts'
import { readSummary, translateEntry, translateSummary } from './translate-summary.ts'

for (const [english, hindi] of [
  ['Created through the web app by Dr. Rao. Unassigned.', 'वेब ऐप पर Dr. Rao के ज़रिए बनाई गई। किसी को नहीं सौंपी।'],
  [
    'Created through the API key “Site”. Assigned to Dr. Bela by the rule “Fair”. Asha is away until 5 Dec.',
    'API कुंजी “Site” के ज़रिए बनाई गई। नियम “Fair” से Dr. Bela को सौंपी गई। Asha 5 दिस॰ तक उपलब्ध नहीं हैं।',
  ],
  [
    'Created through the webhook “Ads”. Assigned to Dr. Bela. All users of the rule “A” have reached the limit of 20 leads today.',
    'वेबहुक “Ads” के ज़रिए बनाई गई। Dr. Bela को सौंपी गई। नियम “A” के सभी यूज़र की आज की 20 लीड की सीमा पूरी हो गई है।',
  ],
  [
    'Created through the webhook “Ads”. Offered to 1 user by the rule “A”: the first to claim it is its owner. Asha, Bela and 2 more have reached the limit of 1 lead today.',
    'वेबहुक “Ads” के ज़रिए बनाई गई। नियम “A” से 1 यूज़र को दिखाई गई: जो पहले लें, वे ज़िम्मेदार। Asha, Bela और 2 और की आज की 1 लीड की सीमा पूरी हो गई है।',
  ],
  [
    'Not claimed within 5 minutes. Assigned to Asha. No user of the rule “A” is available.',
    '5 मिनट में किसी ने नहीं ली। Asha को सौंपी गई। नियम “A” का कोई यूज़र उपलब्ध नहीं है।',
  ],
  [
    'Merged through the API key “Site”, matched by phone and email. Changed city: Pune → Goa, Mumbai, deal value: none → ₹1,25,000. Not taken: email, tags.',
    'API कुंजी “Site” के ज़रिए मिलाई गई, इनसे मेल खाया: फ़ोन और ईमेल। बदला गया: शहर: Pune → Goa, Mumbai, सौदे की रकम: कोई नहीं → ₹1,25,000। नहीं लिया गया: ईमेल, टैग।',
  ],
  [
    'Asha changed status: New → Lost, lost reason: none → He changed his mind, call again at: 5 Sept 2026, 10:30 → none.',
    'Asha ने बदला: स्थिति: नई → सौदा नहीं हुआ, सौदा न होने की वजह: कोई नहीं → He changed his mind, फिर कॉल का समय: 5 सित॰ 2026, 10:30 → कोई नहीं।',
  ],
  [
    'Outbound call, no answer, 2 min 20 s. Logged through the API key “Site”.',
    'की गई कॉल, नहीं उठाई, 2 मिनट 20 सेकंड। API कुंजी “Site” के ज़रिए दर्ज हुई।',
  ],
  [
    'Owner Asha → unassigned: The command line deactivated Asha.',
    'ज़िम्मेदार Asha → किसी को नहीं सौंपी: कमांड लाइन ने Asha को निष्क्रिय किया।',
  ],
  // What is not known stays as it is, also a sentence that was cut.
  ['Asha approved this lead.', 'Asha approved this lead.'],
  ['Asha changed notes: added, city: Pune → G…', 'Asha changed notes: added, city: Pune → G…'],
  ['Asha changed colour: red → blue.', 'Asha changed colour: red → blue.'],
  ['Created through a fax. Unassigned.', 'Created through a fax. Unassigned.'],
  [
    'Passed on from A to B to C by the rule “R”: no call and no change within 1 minute.',
    'Passed on from A to B to C by the rule “R”: no call and no change within 1 minute.',
  ],
  ['', ''],
] as const) {
  test(`in Hindi: ${english}`, () => {
    assert.equal(translateSummary(english, 'hi'), hindi)
    assert.equal(translateSummary(english, 'en'), english)
  })
}

test('the times and reasons of an entry are translated, and nothing else', () => {
  const details = {
    changes: [
      { field: 'duration', before: '5 s', after: '1 min' },
      { field: 'time', before: '21 Nov 2026, 10:30', after: null },
      { field: 'name', before: '5 s', after: 'New' },
    ],
    not_taken: [{ field: 'tags', offered: ['x'], reason: summaries.tooManyTags(200) }],
    message: 'Unassigned.',
  }
  const entry = { id: 1, summary: 'Asha opened WhatsApp.', details }
  assert.deepEqual(translateEntry(entry, 'en'), entry)
  assert.deepEqual(translateEntry(entry, 'hi'), {
    id: 1,
    summary: 'Asha ने WhatsApp खोला।',
    details: {
      changes: [
        { field: 'duration', before: '5 सेकंड', after: '1 मिनट' },
        { field: 'time', before: '21 नव॰ 2026, 10:30', after: null },
        { field: 'name', before: '5 s', after: 'New' },
      ],
      not_taken: [{ field: 'tags', offered: ['x'], reason: 'एक लीड में ज़्यादा से ज़्यादा 200 टैग हो सकते हैं' }],
      message: 'Unassigned.',
    },
  })
})

const piece = fc.constantFrom(
  ...['Asha', 'Dr. ', 'लीड ', 'आशा', '“', '”', '"', "'", ', ', ' by the rule ', ' → ', '. ', ': ', '+', '−', ' and '],
  ...[' changed ', ' is away ', '{name}', '{0}', '#', '\\', '$&', '🙂', ' to '],
)
const hostile = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
/** Marked, so that they are found in a sentence. */
const marked = (text: fc.Arbitrary<string>) => text.map((one) => `⟦${one}⟧`)
const usual = fc.constantFrom('Asha', 'Dr. Rao', 'Sharma, Iyer & Sons', 'आशा', 'A “B” C')
const namesIn = (sentence: string) => sentence.match(/⟦[^⟧]*⟧/g) ?? []
const oneOf = <Item>(...items: readonly Item[]) => fc.constantFrom(...items)
const orNull = (text: fc.Arbitrary<string>) => fc.option(text)
const count = fc.integer({ min: 1, max: 2000 })

const now = new Date('2026-11-28T06:00:00Z')

/** What each function writes, with such names. */
function written(name: fc.Arbitrary<string>): Record<string, fc.Arbitrary<string | string[]>> {
  const sender = fc.oneof(
    name.map((key_name) => callerId({ via: 'api_key', key_name })),
    name.map((own) => callerId({ via: 'web', user: { name: own } })),
    name.map((webhook) => `the webhook “${webhook}”`),
    name.map((by) => `an import by ${by}`),
    oneOf('the demo command', 'the sample data', 'an import on the command line'),
  )
  const limit = count.map((limit) => withValues(limitToday, { limit }))
  const none = fc.oneof(
    fc.record({ name, limit }).map((values) => translate(withValues(reasons.allReachedLimit, values))),
    fc.record({ name }).map((values) => translate(withValues(reasons.noneAvailable, values))),
    fc.constant(translate(reasons.allReachedLimits)),
  )
  const reason = fc.oneof(
    fc
      .tuple(name, oneOf(now, new Date('2026-12-05T06:00:00Z'), new Date('2027-09-05T06:00:00Z')))
      .map(([who, until]) => awaySentence(who, until, now)),
    fc.record({ count }).map((values) => translate(withValues(reasons.moreAreAway, values))),
    fc.record({ who: name, limit }).map((values) => translate(withValues(reasons.hasReachedLimit, values))),
    fc
      .record({ who: fc.tuple(name, name).map((two) => two.join(' and ')), limit })
      .map((values) => translate(withValues(reasons.haveReachedLimit, values))),
  )
  const others = fc.array(reason, { maxLength: 3 }).map((parts) => parts.join(' '))
  // Where no rule assigns the lead, the reasons begin with why.
  const becauseOfNone = fc.tuple(none, others).map((parts) => parts.join(' ').trim())
  const because = fc.oneof(others, becauseOfNone)
  const time = oneOf('21 Nov 2026, 10:30', '1 Sept 2026, 00:00')
  const pair = (value: fc.Arbitrary<unknown>) => ({ before: fc.option(value), after: fc.option(value) })
  const change = (field: string, value: fc.Arbitrary<unknown>) =>
    fc.record({ field: fc.constant(field), ...pair(value) })
  const tags = fc.array(name, { maxLength: 2 })
  const contacts = fc.array(oneOf('+919810012345', 'a@x.in'), { minLength: 1, maxLength: 2 })
  const changes = fc.uniqueArray(
    fc.oneof(
      ...['name', 'company', 'city', 'source', 'lost_reason', 'assigned_to'].map((field) => change(field, name)),
      change('status', oneOf(...leadStatuses)),
      change('priority', oneOf(...leadPriorities)),
      change('deal_value', fc.integer({ min: 0 })),
      change('notes', name),
      change('call_again_at', time),
      fc.record({ field: fc.constant('notes'), added: name }),
      fc.record({ field: fc.constant('tags'), added: tags, removed: tags }),
      fc.record({ field: fc.constant('other_contacts'), added: contacts, removed: contacts }),
    ),
    { selector: ({ field }) => field, maxLength: 5 },
  )
  const someChanges = changes.filter((all) => all.length > 0)
  const callChanges = fc
    .tuple(
      change('type', oneOf('Inbound', 'Outbound')),
      change('duration', count.map(summaries.durationText)),
      change('time', time),
    )
    .map((all) => all.filter(({ field }) => field !== 'none'))
  const notTaken = fc.uniqueArray(
    oneOf('email', 'deal_value', 'tags', 'other_contacts').map((field) => ({ field })),
    {
      selector: ({ field }) => field,
    },
  )
  const merge = fc.record({ changes, notTaken, hasMessage: fc.boolean() })
  const call = fc.record({
    call_type: oneOf('Inbound', 'Outbound'),
    duration_seconds: fc.nat(10_000),
    outcome: oneOf('Completed', 'Busy', 'No Answer', 'Voicemail', 'Missed'),
  })
  const rule = fc.oneof(
    fc.record({ name, byFallback: fc.boolean(), offered: fc.option(count, { nil: 0 }), because }),
    fc.record({ name, byFallback: fc.constant(false), assigns: fc.constant(false), because: becauseOfNone }),
  )

  return {
    created: fc.tuple(sender, orNull(name), fc.option(rule)).map((all) => summaries.createdSummary(...all)),
    claimed: name.map(summaries.claimedSummary),
    answered: name.map(summaries.answeredSummary),
    unclaimed: fc
      .oneof(
        fc.record({ rule: name as fc.Arbitrary<string | null>, because }),
        fc.record({ rule: fc.constant(null), because: fc.oneof(fc.constant(''), becauseOfNone) }),
      )
      .chain((by) =>
        fc.record({
          rule: fc.constant(by.rule),
          because: fc.constant(by.because),
          minutes: fc.option(count),
          to: orNull(name),
          offeredTo: fc.nat(3),
        }),
      )
      .map(summaries.unclaimedSummary),
    passedOn: fc
      .tuple(name, name, fc.record({ rule: name, minutes: count }))
      .map((all) => summaries.passedOnSummary(...all)),
    merged: fc
      .tuple(sender, fc.subarray(['phone', 'email', 'another contact'], { minLength: 1 }), merge)
      .map(([sender, matched, rest]) => summaries.mergedSummary({ sender, matched, ...rest })),
    mergedLead: fc.tuple(name, merge).map((all) => summaries.mergedLeadSummary(...all)),
    undoneMerge: fc.tuple(name, changes).map((all) => summaries.undoneMergeSummary(...all)),
    mergeUndone: fc.tuple(name, changes).map((all) => Object.values(summaries.mergeUndoneSummaries(...all))),
    changed: fc.tuple(name, someChanges).map(([by, all]) => summaries.changedSummary(by, [...all])),
    contactElsewhere: fc
      .tuple(sender, oneOf('phone' as const, 'email' as const, 'whatsapp' as const))
      .map((all) => summaries.contactElsewhereSummary(...all)),
    hiddenSubmission: sender.map(summaries.hiddenSubmissionSummary),
    reassigned: fc.tuple(name, orNull(name), name).map((all) => summaries.reassignedSummary(...all)),
    call: call.map(summaries.callSummary),
    logged: fc.tuple(sender, call).map((all) => summaries.loggedSummary(...all)),
    callChanged: fc.tuple(name, time, callChanges).map((all) => summaries.callChangedSummary(...all)),
    callMoved: fc
      .tuple(name, time, call, callChanges)
      .map((all) => Object.values(summaries.callMovedSummaries(...all))),
    callDeleted: fc.tuple(sender, call).map((all) => summaries.callDeletedSummary(...all)),
    whatsAppOpened: fc.tuple(name, orNull(name)).map((all) => summaries.whatsAppOpenedSummary(...all)),
  }
}

const runs = { numRuns: isThorough ? 5000 : 300 }
const allOf = (summary: string | string[]) => [summary].flat()

for (const [writer, summary] of Object.entries(written(fc.oneof(hostile, marked(hostile))))) {
  test(`${writer}: what is read is the same in English, and has all names in Hindi`, () => {
    fc.assert(
      fc.property(summary, (found) => {
        for (const one of allOf(found)) {
          const say = readSummary(one)
          if (say) assert.equal(say('en'), one)
          const hindi = translateSummary(one, 'hi')
          for (const name of namesIn(one)) assert.ok(hindi.includes(name), `${name} is missing: ${hindi}`)
        }
      }),
      runs,
    )
  })
}

for (const [writer, summary] of Object.entries(written(marked(usual)))) {
  test(`${writer}: with usual names, all is translated`, () => {
    fc.assert(
      fc.property(summary, (found) => {
        for (const one of allOf(found)) {
          const names = /⟦[^⟧]*⟧|API|WhatsApp|ID|\S+@\S+/g
          assert.doesNotMatch(translateSummary(one, 'hi').replaceAll(names, ''), /[a-z]/i, one)
        }
      }),
      runs,
    )
  })
}

test('hostile sentences stay as they are', () => {
  const starts = ['', 'Created through ', 'Asha changed ', 'Created through the web app by A. Assigned to B. ']
  const pieces = [', city: ', '. ', ' changed ', ' → ', ' and ', ' is away today. ', '”', ' by the rule “', ' call, ']
  for (const start of starts)
    for (const piece of pieces) {
      const sentence = `${start}${piece.repeat(Math.ceil(20_000 / piece.length))}`
      assert.equal(translateSummary(sentence, 'hi'), sentence)
    }
})
