import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readBody } from './read-body.ts'

const asha = { name: 'Asha Rao', phone: '9812004417' }
const boundary = '----form7711'
const part = (head: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
const multipart = `${part('name="name"', 'Asha Rao')}${part('name="phone"', '9812004417')}--${boundary}--\r\n`

const readable: [title: string, body: string | Buffer, contentType: string | undefined, payload: unknown][] = [
  ['JSON', JSON.stringify(asha), 'application/json', asha],
  ['JSON as plain text', JSON.stringify(asha), 'text/plain', asha],
  ['JSON without a content type', JSON.stringify(asha), undefined, asha],
  ['JSON under a form’s content type', JSON.stringify(asha), 'application/x-www-form-urlencoded', asha],
  ['JSON after a byte order mark', `\ufeff${JSON.stringify(asha)}`, 'application/json; charset=utf-8', asha],
  ['JSON in UTF-16', Buffer.from(`\ufeff${JSON.stringify(asha)}`, 'utf16le'), 'application/json', asha],
  ['JSON encoded twice', JSON.stringify(JSON.stringify(asha)), 'application/json', asha],
  ['JSON with an unknown charset', JSON.stringify(asha), 'application/json; charset=klingon', asha],
  ['a form', 'name=Asha+Rao&phone=9812004417', 'application/x-www-form-urlencoded', asha],
  ['a form without a content type', 'name=Asha%20Rao&phone=9812004417', undefined, asha],
  ['a form that says it is JSON', 'name=Asha+Rao&phone=9812004417', 'application/json', asha],
  ['a form’s name given twice', 'tag=a&tag=b', 'application/x-www-form-urlencoded', { tag: ['a', 'b'] }],
  [
    'a form in an older encoding',
    'name=Jos%E9+Garc%EDa&n%E9=1',
    'application/x-www-form-urlencoded',
    { name: 'José García', né: '1' },
  ],
  ['a form of raw Latin-1', Buffer.from('name=José', 'latin1'), 'application/x-www-form-urlencoded', { name: 'José' }],
  ['a form that names its charset', 'n=%C6%EE', 'application/x-www-form-urlencoded; charset=koi8-r', { n: 'фН' }],
  [
    'a form with _charset_',
    '_charset_=windows-1251&n=%C0%F8%E0',
    'application/x-www-form-urlencoded',
    { _charset_: 'windows-1251', n: 'Аша' },
  ],
  ['a form in UTF-16', Buffer.from('\ufeffname=José&a=b', 'utf16le'), undefined, { name: 'José', a: 'b' }],
  ['a broken percent sign', 'discount=50%&b=%4', 'application/x-www-form-urlencoded', { discount: '50%', b: '%4' }],
  ['JSON in Latin-1', Buffer.from('{"name":"José"}', 'latin1'), 'application/json', { name: 'José' }],
  [
    'JSON that is wrongly said to be UTF-8',
    Buffer.from('{"a":"é"}', 'latin1'),
    'text/plain; charset=utf-8',
    { a: 'é' },
  ],
  [
    'multipart in Latin-1',
    Buffer.from(`${part('name="name"', 'José')}--${boundary}--`, 'latin1'),
    `multipart/form-data; boundary=${boundary}`,
    { name: 'José' },
  ],
  ['JSON in UTF-8 that says it is Latin-1', '{"name":"आशा"}', 'application/json; charset=ISO-8859-1', { name: 'आशा' }],
  ['a form in UTF-8 that says it is Latin-1', 'n=%E0%A4%86', 'text/plain; charset=iso-8859-1', { n: 'आ' }],
  ['JSON that says it is multipart', JSON.stringify(asha), 'multipart/form-data; boundary=x', asha],
  ['JSON encoded as a form', encodeURIComponent(JSON.stringify(asha)), 'application/x-www-form-urlencoded', asha],
  ['JSON as the name of a field', `${JSON.stringify(asha)}=`, 'application/x-www-form-urlencoded', asha],
  ['multipart without a boundary in its type', multipart, 'multipart/form-data', asha],
  ['multipart that says it is JSON', multipart, 'application/json', asha],
  ['multipart that says it is another form', multipart, 'application/x-www-form-urlencoded', asha],
  ['multipart without a content type', multipart, undefined, asha],
  ['a list of one object', JSON.stringify([asha]), 'application/json', asha],
  [
    'a list of names and values',
    '[{"name":"name","value":"Asha Rao"},{"name":"phone","value":"9812004417"}]',
    undefined,
    asha,
  ],
  ['a list of pairs', '[["name","Asha Rao"],["phone","9812004417"]]', undefined, asha],
  [
    'multipart without its files',
    `${part('name="name"', 'Asha Rao')}${part('name="cv"; filename="cv.pdf"', '%PDF')}${part('name="phone"', '9812004417')}--${boundary}--\r\n`,
    `multipart/form-data; boundary=${boundary}`,
    asha,
  ],
  [
    'multipart with lines and its own boundary in a value',
    `${part('name="message"', `one\r\ntwo --${boundary}`)}--${boundary}--`,
    `multipart/form-data; boundary="${boundary}"`,
    { message: `one\r\ntwo --${boundary}` },
  ],
]

for (const [title, body, contentType, payload] of readable) {
  test(`${title} is read`, () => assert.deepEqual(readBody(Buffer.from(body), contentType), { payload }))
}

const rejected: [title: string, body: string, contentType: string | undefined, problem: RegExp][] = [
  ['nothing', '', 'application/json', /empty/],
  ['broken JSON', '{"name": ', 'application/json', /not valid JSON/],
  ['a number', '12', 'application/json', /not valid JSON|not a JSON object/],
  ['a text', '"Asha"', 'application/json', /not (valid JSON|a JSON object)/],
  ['texts in a list', JSON.stringify(['Asha', '98200']), 'application/json', /send leads as JSON objects/],
  ['an empty list', '[]', 'application/json', /send leads as JSON objects/],
  ['a page', '<html><a href="?a=b"></html>', 'text/html', /not a JSON object/],
  ['multipart without a boundary', 'x', 'multipart/form-data', /multipart/],
  ['multipart cut off', part('name="name"', 'Asha'), `multipart/form-data; boundary=${boundary}`, /multipart/],
]

for (const [title, body, contentType, problem] of rejected) {
  test(`${title} is rejected`, () => {
    const read = readBody(Buffer.from(body), contentType)
    assert.match('problem' in read ? read.problem : '', problem)
  })
}

test('a key named __proto__ changes no prototype', () => {
  for (const body of ['{"__proto__":{"admin":true},"name":"Asha"}', '__proto__=admin&name=Asha']) {
    const read = readBody(Buffer.from(body), undefined)
    assert.ok('payload' in read && Object.hasOwn(read.payload, '__proto__'))
    assert.equal(Object.getPrototypeOf(read.payload), Object.prototype)
    assert.equal(({} as { admin?: boolean }).admin, undefined)
  }
})

test('values nested too deep are left out, and the rest is read', () => {
  const deep = `{"phone":"9812004417","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const read = readBody(Buffer.from(deep), 'application/json')
  assert.ok('payload' in read && read.payload.phone === '9812004417')
  assert.doesNotThrow(() => JSON.stringify(read))
})

test('of a form with 120,000 fields the first and those with a possible contact are read', () => {
  const fields = Array.from({ length: 120_000 }, (_, index) => `k${index}=${index % 10}`)
  const read = readBody(Buffer.from([...fields, 'mobile=98120+04417'].join('&')), undefined)
  assert.ok('payload' in read && read.cut)
  assert.equal(read.payload.mobile, '98120 04417')
  assert.equal(Object.keys(read.payload).length, 4001)
})

test('line breaks and tabs within texts are read with a warning, and nothing else that is invalid', () => {
  const read = readBody(Buffer.from('{"name": "Asha\n\\"Rao\\"",\n "phone":\t"98\t1"}'), 'application/json')
  assert.ok('payload' in read)
  assert.deepEqual([read.payload, read.warnings?.length], [{ name: 'Asha\n"Rao"', phone: '98\t1' }, 1])
  const twice = readBody(Buffer.from(JSON.stringify('{"name": "Asha\nRao"}')), 'application/json')
  assert.ok('payload' in twice)
  assert.deepEqual([twice.payload, twice.warnings?.length], [{ name: 'Asha\nRao' }, 1])
  // A backslash before a line break, and a text without an end.
  for (const text of ['{"name": "Asha\\\nRao"}', '{"name": "Asha\nRao}'])
    assert.deepEqual(readBody(Buffer.from(text), 'application/json'), { problem: 'The body is not valid JSON' })
})

test('an invalid body of three megabytes is read in one pass', () => {
  for (const repeated of ['\\"', '"', '\n', '\\', '"\n'])
    assert.ok('problem' in readBody(Buffer.from(`{"a":"\n${repeated.repeat(1_500_000)}`), 'application/json'))
})

test('an unescaped plus is that of an email if its at sign is not escaped, too', () => {
  for (const [sent, email, warnings] of [
    ['asha+shop@x.in', 'asha+shop@x.in', 1],
    ['asha%2Bshop%40x.in', 'asha+shop@x.in', 0],
    ['asha+rao%40x.in', 'asha rao@x.in', 0],
    ['Asha+Rao+asha@x.in', 'Asha Rao asha@x.in', 0],
    ['+asha@x.in', ' asha@x.in', 0],
    ['asha@x.in+', 'asha@x.in ', 0],
  ] as const) {
    const read = readBody(Buffer.from(`email=${sent}`), 'application/x-www-form-urlencoded')
    assert.ok('payload' in read)
    assert.deepEqual([read.payload.email, read.warnings?.length ?? 0], [email, warnings], sent)
  }
})

test('no body throws', () => {
  const types = fc.constantFrom(
    undefined,
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    `multipart/form-data; boundary=${boundary}`,
  )
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.string().map((text) => part(text, text)),
  )
  fc.assert(
    fc.property(bodies, types, (body, type) => {
      const read = readBody(Buffer.from(body as string), type)
      assert.ok(
        'payload' in read ? typeof read.payload === 'object' && !Array.isArray(read.payload) : read.problem.length > 10,
      )
    }),
  )
})
