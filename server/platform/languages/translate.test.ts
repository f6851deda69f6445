import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { msg, plural } from '@lingui/core/runtime-macro'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { type Language, languages } from './contract.ts'
import { acceptedLanguage, type Text, translate } from './translate.ts'

const calls = (count: number) =>
  plural({ count }, { 0: 'No calls', one: '{count} call of {name}', other: '# calls of {name}' })
const withName = (text: Text, name: string): Text =>
  typeof text === 'string' ? text : { ...text, values: { ...text.values, name } }

for (const [name, text, expected] of [
  ['a plain text', 'plain {text}', 'plain {text}'],
  ['an empty text', '', ''],
  ['a text without placeholders', msg`It is the user's lead.`, "It is the user's lead."],
  ['a placeholder', msg`Lead of ${{ name: 'Asha' }}`, 'Lead of Asha'],
  ['a number, which is not grouped', msg`At most ${{ limit: 1000 }} characters`, 'At most 1000 characters'],
  ['a placeholder twice', msg`${{ name: 'Asha' }} and ${{ name: 'Asha' }}`, 'Asha and Asha'],
  ['an empty placeholder', msg`Lead of ${{ name: '' }}.`, 'Lead of .'],
  ['a quoted brace', msg`Use '{name}'.`, 'Use {name}.'],
  ['one', withName(calls(1), 'Bela'), '1 call of Bela'],
  ['several, grouped', withName(calls(123456), 'Bela'), '1,23,456 calls of Bela'],
  ['an exact number', calls(0), 'No calls'],
  ['a plural in a text', msg`${plural({ days: 1 }, { one: 'a day', other: '{days} days' })} left`, 'a day left'],
  [
    'a text in a text',
    msg`Not sent. ${{ reason: msg`The host ${{ host: 'x' }} is away.` }}`,
    'Not sent. The host x is away.',
  ],
] as const) {
  test(`${name} is translated: ${expected}`, () => {
    assert.equal(translate(text), expected)
    assert.equal(translate(text), expected)
    assert.equal(translate(text, null), expected)
    // None of these texts has a translation.
    assert.equal(translate(text, 'hi'), expected)
    assert.equal(translate(text, 'xx' as Language), expected)
    assert.equal(translate(text, '__proto__' as Language), expected)
  })
}

test('what users typed stays as it is', () => {
  for (const name of [
    '{name}',
    '{0}',
    "it's '{x}'",
    '#',
    '\\u0041\\x41',
    '\\',
    '<0>a</0>',
    '__proto__',
    '\0',
    '🙂'.repeat(500),
  ]) {
    assert.equal(translate(msg`Lead of ${{ name }}.`), `Lead of ${name}.`)
    assert.equal(translate(withName(calls(2), name)), `2 calls of ${name}`)
    assert.equal(translate(name, 'hi'), name)
  }
})

test('texts have their translation', () => {
  assert.equal(translate(msg`Hello ${{ name: '{0} \\u0041' }},`, 'hi'), 'नमस्ते {0} \\u0041,')
  assert.equal(translate(plural({ count: 1 }, { one: 'New lead', other: '{count} new leads' }), 'hi'), 'नई लीड')
  assert.equal(translate(plural({ count: 12 }, { one: 'New lead', other: '{count} new leads' }), 'hi'), '12 नई लीड')
})

for (const [header, expected] of [
  [undefined, 'en'],
  ['', 'en'],
  ['hi', 'hi'],
  ['hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
  ['hi;q=0.9', 'hi'],
  ['en-IN,hi;q=0.9', 'en'],
  ['fr,hi;q=0.9', 'en'],
  ['*', 'en'],
  ['hindi', 'en'],
  ['__proto__', 'en'],
  ['constructor,hi', 'en'],
  [',hi', 'en'],
  [`${'-'.repeat(10_000)}hi`, 'en'],
] as const) {
  test(`Accept-Language: ${String(header).slice(0, 40)} is ${expected}`, () => {
    assert.equal(acceptedLanguage(header), expected)
  })
}

test('translations have the placeholders of the English text, and no others', () => {
  for (const language of Object.keys(languages).filter((one) => one !== 'en')) {
    const path = join(import.meta.dirname, `../../../languages/${language}.po`)
    const entries = readFileSync(path, 'utf8').matchAll(/^msgid (".+")\nmsgstr (".+")$/gm)
    for (const [, english, translation] of entries) {
      const [before, after] = [english, translation].map((text) => placeholdersIn(JSON.parse(text!)))
      assert.deepEqual(after, before, `${language}: ${english}`)
    }
  }
})

function placeholdersIn(text: string): string[] {
  const named = (tokens: CompiledMessage): string[] =>
    tokens.flatMap((token) => {
      if (typeof token === 'string') return []
      const [name, , forms] = token
      const inForms = Object.values((forms ?? {}) as Record<string, CompiledMessage>).filter(Array.isArray)
      return [name, ...inForms.flatMap(named)]
    })
  return [...new Set(named(compileMessage(text)))].sort()
}
