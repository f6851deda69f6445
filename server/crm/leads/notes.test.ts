import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterMessages, notesVersion, withMessage, withNote } from './notes.ts'

const at = new Date('2026-11-21T05:00:00Z')
const time = '[21 Nov 2026, 10:30]'
const end = `\n\n${laterMessages}`
const long = (length: number) => 'x'.repeat(length)

test('messages are added under their time while the notes stay within 20,000 characters', () => {
  let notes: string | null = null
  let kept = 0
  for (let n = 10; n < 50; n++) {
    const message = `${n}${long(998)}`
    const next = withMessage(notes, message, new Date(at.getTime() + n * 60_000))
    if (next.kept !== null) {
      kept++
      assert.equal(next.kept, message)
    }
    assert.ok(next.notes.length <= 20_000)
    notes = next.notes
  }
  assert.equal(kept, 21)
  assert.equal(notes!.split(laterMessages).length, 2, 'the line stands there once')
  assert.ok(notes!.endsWith(`x${end}`))
})

test('a message fits as long as the line that ends full notes would still fit after it', () => {
  const added = `\n\n${time}\nok`.length
  const fits = long(20_000 - end.length - added)
  assert.equal(withMessage(fits, 'ok', at).kept, null)
  assert.deepEqual(withMessage(`${fits}x`, 'ok', at), { notes: `${fits}x${end}`, kept: 'ok' })
})

test('once the notes are full, short messages are also saved on the timeline, until the line is removed', () => {
  const full = `First.${end}`
  assert.deepEqual(withMessage(full, 'ok', at), { notes: full, kept: 'ok' })
  const noted = withNote(full, 'Called him.', at, 'Bela')
  assert.deepEqual(withMessage(noted, 'ok', at), { notes: noted, kept: 'ok' })
  assert.deepEqual(withMessage('First.', 'ok', at), { notes: `First.\n\n${time}\nok`, kept: null })
})

test('notes that a person filled to the last character stay as they are', () => {
  const notes = long(20_000)
  assert.deepEqual(withMessage(notes, 'ok', at), { notes, kept: 'ok' })
})

test('an existing message is not repeated, but the beginning of another message is added', () => {
  const notes = `First.\n\n${time}\nCall me.`
  for (const repeated of [notes, `${notes}${end}`, `${notes}\n\n[22 Nov 2026, 10:30]\nAgain.`]) {
    assert.deepEqual(withMessage(repeated, 'Call me.', at), { notes: repeated, kept: null })
  }
  assert.equal(withMessage(notes, 'Call', at).notes, `${notes}\n\n${time}\nCall`)
})

test('a note has its time and author, and is rejected if there is no room for it', () => {
  assert.equal(withNote(null, 'Called.', at, 'Bela'), '[21 Nov 2026, 10:30, Bela]\nCalled.')
  assert.equal(withNote('First.', 'Called.', at, 'Bela'), 'First.\n\n[21 Nov 2026, 10:30, Bela]\nCalled.')
  assert.throws(() => withNote(long(19_000), long(1000), at, 'Bela'), /room for 971 more characters/)
  assert.throws(() => withNote(long(20_000), 'x', at, 'Bela'), /room for 0 more characters/)
})

test('different texts have different versions', () => {
  assert.equal(notesVersion('a'), notesVersion('a'))
  assert.equal(new Set([null, 'a', 'a ', 'b'].map(notesVersion)).size, 4)
})
