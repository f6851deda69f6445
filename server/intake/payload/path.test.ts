import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathText, readPath } from './path.ts'

test('a path reads back as it was written', () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat({ max: 999_999 }),
    fc.constantFrom('Is it? [yes]', 'a.b', '"', '', ' x '),
  )
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (path) => assert.deepEqual(readPath(pathText(path)), path)),
  )
})

test('a path is written in the usual notation', () => {
  assert.equal(pathText(['form_response', 'answers', 0, 'text']), 'form_response.answers[0].text')
  assert.equal(pathText(['data', 'Full Name']), 'data.Full Name')
  assert.equal(pathText(['fields', 'name.first']), 'fields["name.first"]')
})

test('paths typed by hand are read', () => {
  assert.deepEqual(readPath('reach.tel'), ['reach', 'tel'])
  assert.deepEqual(readPath('contact[email]'), ['contact', 'email'])
  assert.deepEqual(readPath('answers[2]["Is it?"]'), ['answers', 2, 'Is it?'])
  assert.equal(readPath(''), undefined)
  assert.equal(readPath('a['), undefined)
})
