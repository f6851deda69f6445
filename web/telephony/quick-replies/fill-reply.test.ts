import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillReply, nameOfPerson } from './fill-reply.ts'

for (const [text, named, unnamed] of [
  [
    'Hello {name}, this is {agent} of {company}.',
    'Hello Ravi Rao, this is Bela of Acme.',
    'Hello, this is Bela of Acme.',
  ],
  ['Hi {name}!', 'Hi Ravi Rao!', 'Hi!'],
  ['Dear {name},\nThank you.', 'Dear Ravi Rao,\nThank you.', 'Hello,\nThank you.'],
  ['Dear Mr. {name}, thanks', 'Dear Mr. Ravi Rao, thanks', 'Hello, thanks'],
  ['Good day Dr {name}.', 'Good day Dr Ravi Rao.', 'Good day.'],
  ['{name}, your visit is booked.', 'Ravi Rao, your visit is booked.', 'Your visit is booked.'],
  ['Thanks!\n{NAME}: see you', 'Thanks!\nRavi Rao: see you', 'Thanks!\nSee you'],
  ['नमस्ते {name} जी,', 'नमस्ते Ravi Rao जी,', 'नमस्ते जी,'],
  ['{name}', 'Ravi Rao', ''],
  ['No placeholder {price}', 'No placeholder {price}', 'No placeholder {price}'],
] as const) {
  test(`“${text}” reads well with and without a name`, () => {
    const others = { agent: 'Bela', company: 'Acme' }
    assert.equal(fillReply(text, { name: 'Ravi Rao', ...others }), named)
    assert.equal(fillReply(text, { name: null, ...others }), unnamed)
  })
}

test('what is filled in is not filled again, and not cut within a character', () => {
  assert.equal(fillReply('{name}{agent}', { name: '{agent}', agent: '$&', company: '' }), '{agent}$&')
  const long = fillReply('{name}'.repeat(20), { name: '🙂'.repeat(150), agent: '', company: '' })
  assert.equal([...long].length, 2000)
  assert.ok(long.isWellFormed())
})

for (const [name, person] of [
  ['Meera  Iyer ', 'Meera Iyer'],
  ['मीरा', 'मीरा'],
  ['Caller Rao', 'Caller Rao'],
  ['Caller +91 98100 44321', null],
  ['Caller 9810044321', null],
  ['+91 98100 44321', null],
  ['meera@example.com', null],
  ['IN.13491208655302741918', null],
] as const) {
  test(`${name} is greeted as ${person}`, () => assert.equal(nameOfPerson(name), person))
}
