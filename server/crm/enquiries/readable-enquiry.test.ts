import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originParts } from './contract.ts'
import { answersIn, answersText, consentIn, consentText, originIn, originText } from './readable-enquiry.ts'

test('answers are read as they were written', () => {
  const answers = [
    { question: 'What is your budget?', answer: '60–80 lakh' },
    { question: 'Choose: flat or villa', answer: 'Flat: 3 BHK' },
    { question: 'Address:', answer: '12 MG Road\n  near the park\n\nPune' },
    { question: 'कब देखना चाहेंगे?', answer: 'रविवार' },
    { question: 'What is your budget?', answer: '- 1 crore' },
  ]
  const text = answersText(answers)
  assert.equal(text.split('\n').length, 8)
  assert.deepEqual(answersIn(text), answers)
  assert.deepEqual(answersIn(text.replaceAll('\n', '\r\n')), answers)
})

test('another text is none of answers', () => {
  for (const text of ['3 BHK', '', 'Wants: a flat\nand a parking place', ': x'])
    assert.equal(answersIn(text), undefined)
})

test('an origin is read as it was written, and another text is none', () => {
  const origin = { page_url: 'https://example.com/a?b: c', utm_source: 'google', gclid: 'x y' }
  const text = originText(origin, originParts)
  assert.equal(text, 'page_url: https://example.com/a?b: c\nutm_source: google\ngclid: x y')
  assert.deepEqual(originIn(text), origin)
  assert.deepEqual(originIn(originText(origin, ['gclid'])), { gclid: 'x y' })
  for (const other of ['Facebook', 'Source: Facebook', '']) assert.equal(originIn(other), undefined)
})

test('a consent is read as it was written, and another text is none', () => {
  const consent = {
    statements: [
      { text: 'I agree: calls and WhatsApp', choice: 'Yes' },
      { text: null, choice: 'No' },
      { text: 'Terms', choice: null },
    ],
    at: '2026-11-29T10:00:00Z',
    page: 'https://example.com/a',
  }
  assert.deepEqual(consentIn(consentText(consent)), consent)
  for (const other of ['Yes', '', 'https://example.com']) assert.equal(consentIn(other), undefined)
})
