import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callSummary, createdSummary, mergedSummary } from './summaries.ts'

const sender = 'the API key “Site”'

test('the summary of a new lead names the sender, the owner and the rule', () => {
  assert.equal(createdSummary(sender, null, null), `Created through ${sender}. Unassigned.`)
  assert.equal(createdSummary(sender, 'Bela', null), `Created through ${sender}. Assigned to Bela.`)
  assert.equal(
    createdSummary(sender, 'Bela', { name: 'Fair', byFallback: false, because: '' }),
    `Created through ${sender}. Assigned to Bela by the rule “Fair”.`,
  )
  const skipped = { name: 'Fair', byFallback: false, because: 'Asha is away until 5 Dec.' }
  assert.match(createdSummary(sender, 'Bela', skipped), /by the rule “Fair”\. Asha is away until 5 Dec\.$/)
  const none = { name: 'Fair', byFallback: true, because: 'No user of the rule “Fair” is available.' }
  assert.match(
    createdSummary(sender, 'Bela', none),
    /to Bela, the fallback owner\. No user of the rule “Fair” is available\.$/,
  )
})

for (const [changes, notTaken, says] of [
  [[], [], 'Nothing changed.'],
  [[{ field: 'city', before: 'Pune', after: 'Goa' }], [], 'Changed city: Pune → Goa.'],
  [[{ field: 'deal_value', before: null, after: 0 }], [], 'Changed deal value: none → ₹0.'],
  [[{ field: 'deal_value', before: 125000, after: 8500000.5 }], [], 'Changed deal value: ₹1,25,000 → ₹85,00,000.50.'],
  [[{ field: 'assigned_to', before: 'a@x.in', after: 'b@x.in' }], [], 'Changed owner: a@x.in → b@x.in.'],
  [[{ field: 'notes', before: null, after: 'long' }], [], 'Changed notes: added.'],
  [[{ field: 'notes', before: 'short' }], [], 'Changed notes: replaced.'],
  [[{ field: 'notes', before: 'short', after: null }], [], 'Changed notes: removed.'],
  [[{ field: 'notes', added: 'more' }], [], 'Changed notes: added text.'],
  [[{ field: 'tags', added: ['b', 'c'], removed: ['a'] }], [], 'Changed tags: +b +c −a.'],
  [[], [{ field: 'email' }, { field: 'deal_value' }], 'Nothing changed. Not taken: email, deal value.'],
] as const) {
  test(`a merge says: ${says}`, () => {
    const sentence = mergedSummary({ sender, matched: ['phone', 'email'], changes, notTaken })
    assert.equal(sentence, `Merged through ${sender}, matched by phone and email. ${says}`)
  })
}

test('the summary of a merge says that a message is only on the timeline', () => {
  const sentence = mergedSummary({
    sender,
    matched: ['phone'],
    changes: [],
    notTaken: [{ field: 'tags' }],
    hasMessage: true,
  })
  assert.equal(
    sentence,
    `Merged through ${sender}, matched by phone. Nothing changed. The notes are full: the message is saved here. Not taken: tags.`,
  )
})

for (const [seconds, says] of [
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3725, '62 min 5 s'],
] as const) {
  test(`a call of ${seconds} seconds is shown as ${says}`, () => {
    const call = { call_type: 'Outbound', duration_seconds: seconds, outcome: 'No Answer' }
    assert.equal(callSummary(call), `Outbound call, no answer, ${says}`)
  })
}
