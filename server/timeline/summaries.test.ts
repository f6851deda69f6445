import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callSummary, createdSummary, mergedSummary } from './summaries.ts'

const sender = 'the API key “Site”'

test('how a lead came in, and whose it is, is one sentence for each', () => {
  assert.equal(createdSummary(sender, null, null), `Created through ${sender}. Nobody is assigned yet.`)
  assert.equal(createdSummary(sender, 'Bela', null), `Created through ${sender}. Assigned to Bela.`)
  assert.equal(
    createdSummary(sender, 'Bela', 'Fair'),
    `Created through ${sender}. Assigned to Bela by the rule “Fair”.`,
  )
})

for (const [changes, notTaken, says] of [
  [[], [], 'nothing changed.'],
  [[{ field: 'city', before: 'Pune', after: 'Goa' }], [], 'city Pune → Goa.'],
  [[{ field: 'deal_value', before: null, after: 0 }], [], 'deal value ₹0 added.'],
  [[{ field: 'deal_value', before: 125000, after: 8500000.5 }], [], 'deal value ₹1,25,000 → ₹85,00,000.50.'],
  [[{ field: 'assigned_to', before: 'a@x.in', after: 'b@x.in' }], [], 'owner a@x.in → b@x.in.'],
  [[{ field: 'notes', before: null, after: 'long' }], [], 'notes added.'],
  [[{ field: 'notes', before: 'short' }], [], 'notes changed.'],
  [[{ field: 'notes', before: 'short', after: null }], [], 'notes removed.'],
  [[{ field: 'notes', added: 'more' }], [], 'added to notes.'],
  [[{ field: 'tags', added: ['b', 'c'], removed: ['a'] }], [], 'tags +b +c −a.'],
  [[], [{ field: 'email' }, { field: 'deal_value' }], 'nothing changed. Not taken: email, deal value.'],
] as const) {
  test(`a merge says: ${says}`, () => {
    const sentence = mergedSummary(sender, ['phone', 'email'], [...changes], [...notTaken])
    assert.equal(sentence, `Merged through ${sender}, same phone and email: ${says}`)
  })
}

test('a merge whose message found no room in the notes says where it is', () => {
  const sentence = mergedSummary(sender, ['phone'], [], [{ field: 'tags' }], true)
  assert.equal(
    sentence,
    `Merged through ${sender}, same phone: nothing changed. The notes are full: the message is kept here. Not taken: tags.`,
  )
})

for (const [seconds, says] of [
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3725, '62 min 5 s'],
] as const) {
  test(`a call of ${seconds} seconds took ${says}`, () => {
    const call = { call_type: 'Outbound', duration_seconds: seconds, outcome: 'No Answer' }
    assert.equal(callSummary(call), `Outbound call, no answer, ${says}`)
  })
}
