import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestOf, notesBeside, startOf } from './notes-beside.ts'

const note = '[22 Nov 2026, 11:05, Bela]\nCall after five'

for (const [what, notes, messages, shown] of [
  ['no notes', null, ['Wants 2 BHK'], null],
  ['the first message', 'Wants 2 BHK', ['Wants 2 BHK'], null],
  ['another text', 'Wants 2 BHK in Baner', ['Wants 2 BHK'], 'Wants 2 BHK in Baner'],
  ['no message', 'Wants 2 BHK', [null], 'Wants 2 BHK'],
  ['a note after the message', `Wants 2 BHK\n\n${note}`, ['Wants 2 BHK'], note],
  ['a message after a note', `${note}\n\n[23 Nov 2026, 10:00]\nWants\n\na lift`, ['Wants\n\na lift'], note],
  ['messages of one enquiry', `One\n\n${note}\n\n[23 Nov 2026, 10:00]\nTwo`, ['One\nTwo'], note],
  ['a message that the server removed', `${note}\n\n[23 Nov 2026, 10:00]\n`, ['Wants'], note],
  ['a part of a word', 'Wants', ['Wants 2 BHK'], 'Wants'],
] as const)
  test(`beside an enquiry: ${what}`, () => assert.equal(notesBeside(notes, messages), shown))

const words = Array.from({ length: 90 }, (_, n) => `word${n + 1}`)
const long = words.join(' ')
for (const [what, notes, limit, shown] of [
  ['the last block, with its time', `One\n\ntwo\n\n${note}`, 60, '[22 Nov 2026, 11:05, Bela] Call after five'],
  ['all, if there is one', 'One\n\ntwo', 60, 'One\n\ntwo'],
  ['the last words of 90', long, 40, '…word86 word87 word88 word89 word90'],
  [
    'the last words of the last block',
    `One\n\n[22 Nov 2026, 11:05]\n${long}`,
    20,
    '[22 Nov 2026, 11:05] …word89 word90',
  ],
  ['the last sentences', `${long}. Wants a lift. Call after five`, 40, '…Wants a lift. Call after five'],
  ['words rather than a short last sentence', `${long}. Yes`, 30, '…word88 word89 word90. Yes'],
  ['the start of a line', `${long}\nCall after five, not before`, 32, '…Call after five, not before'],
  ['what the server has cut', `…ov 2026, 11:05]\nCall after five`, 60, '…Call after five'],
  ['a word without an end', 'x'.repeat(50), 20, `…${'x'.repeat(20)}`],
  ['a sentence in Hindi', `${long}। घर दिखाना है। शाम को कॉल करें`, 40, '…घर दिखाना है। शाम को कॉल करें'],
] as const)
  test(`the newest of the notes: ${what}`, () => assert.equal(newestOf(notes, limit), shown))

test('a text that is cut ends with a word', () => {
  assert.equal(startOf('Wants a visit', 20), 'Wants a visit')
  assert.equal(startOf('Wants a visit on Sunday', 20), 'Wants a visit on…')
  assert.equal(startOf('x'.repeat(30), 20), `${'x'.repeat(20)}…`)
})
