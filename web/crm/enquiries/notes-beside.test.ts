import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastNote, notesBeside } from './notes-beside.ts'

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

test('the last note is the last block', () => {
  assert.equal(lastNote(`One\n\ntwo\n\n${note}`), '[22 Nov 2026, 11:05, Bela] Call after five')
  assert.equal(lastNote('One\n\ntwo'), 'One\n\ntwo')
})
