import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GeneratedPayload, generatedPayloads, keyPayloads } from '#test/generated-payloads.ts'
import keyNames from '#test/key-names.json' with { type: 'json' }
import { recognisedFields as read } from '#test/recognised-fields.ts'

const people = [
  { name: 'Kavita Saraogi', email: 'kavita.s@example.com', phone: '+919876501234' },
  { name: 'Ravi Teja', email: 'ravi@ours.example.in', phone: '+919812345670' },
  { name: 'Harpreet Singh', email: 'harpreet77@example.org', phone: '9820014432' },
  { name: 'Lakshmi Narayanan', email: 'l.narayanan@example.net', phone: '91 98410 22334' },
]
const texts = [
  'Hi, is the 2 BHK in Baner still available?',
  'Please call after 6 pm, I need a quote for two rooms',
  'Kitchen ka modular kaam karwana hai, rate bataiye',
]

/** At least this share of each kind is read without any error. The reader is learned: it is not always right. */
const minShare = 0.97

const payloads = [...generatedPayloads(2000, { people, texts, seed: 77 }), ...keyPayloads(keyNames, { people, texts })]
for (const [kind, ofKind] of Map.groupBy(payloads, ({ kind }) => kind)) {
  test(`payloads of the kind ${kind} are read`, () => {
    const wrong = ofKind.filter((one) => !isRead(one))
    const first = wrong
      .slice(0, 5)
      .map(({ payload }) => `\n${JSON.stringify(payload)} ${JSON.stringify(read(payload))}`)
    assert.ok(wrong.length <= (1 - minShare) * ofKind.length, `${wrong.length} of ${ofKind.length}:${first.join('')}`)
  })
}

const languages: [language: string, name: string, phone: string][] = [
  ['English', 'What is your name?', 'Your mobile number'],
  ['Hindi', 'आपका नाम', 'मोबाइल नंबर'],
  ['Hinglish', 'Aapka naam kya hai?', 'Aapka mobile number'],
  ['Marathi', 'तुमचे नाव', 'भ्रमणध्वनी क्रमांक'],
  ['Tamil', 'உங்கள் பெயர்', 'தொலைபேசி எண்'],
  ['Telugu', 'మీ పేరు', 'ఫోన్ నంబర్'],
  ['Kannada', 'ನಿಮ್ಮ ಹೆಸರು', 'ಮೊಬೈಲ್ ಸಂಖ್ಯೆ'],
  ['Malayalam', 'നിങ്ങളുടെ പേര്', 'ഫോൺ നമ്പർ'],
  ['Bengali', 'আপনার নাম', 'মোবাইল নম্বর'],
  ['Gujarati', 'તમારું નામ', 'મોબાઇલ નંબર'],
  ['Punjabi', 'ਤੁਹਾਡਾ ਨਾਮ', 'ਫੋਨ ਨੰਬਰ'],
]
for (const [language, name, phone] of languages) {
  test(`questions in ${language} are read, flat and in a list`, () => {
    const [person] = people
    const flat = { form: 'Contact', [name]: person!.name, [phone]: person!.phone }
    const list = { answers: [name, phone].map((question) => ({ question, answer: flat[question] })) }
    for (const payload of [flat, list]) {
      const found = read(payload)
      assert.deepEqual([found.name, found.phone], [person!.name, person!.phone], JSON.stringify(payload))
    }
  })
}

function isRead({ payload, expected }: GeneratedPayload): boolean {
  const found = read(payload)
  const name = found.name ?? ([found.first_name, found.last_name].filter(Boolean).join(' ') || undefined)
  const digits = (phone = '') => phone.replace(/\D/g, '').slice(-10)
  return Object.entries(expected).every(([field, value]) => {
    if (field === 'phone') return digits(found.phone) === digits(value)
    return (field === 'name' ? name : found[field]) === value
  })
}
