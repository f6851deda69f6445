import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha, meena, bela, chand } = await people(app)
const [admin, manager] = await Promise.all([asha, meena].map((one) => signedIn(app, one)))
await app.owner`update users set name = 'Bela Nair' where id = ${bela.id}`
await app.owner`update users set name = 'Suresh Kumar', deactivated_at = now() where id = ${chand.id}`
await asha.send('POST', '/api/v1/leads', { name: 'First', phone: '9820012000', source: 'Facebook' })

const send = (file: string, query = '', browser = admin!) =>
  browser.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })
const preview = async (file: string, query = '', browser = admin!) =>
  (await send(file, `?dry_run=true${query}`, browser)).body.data
const encoded = (values: object) => `&values=${encodeURIComponent(JSON.stringify(values))}`

const ofRows = (column: string, values: readonly string[], from = 9_820_013_000) =>
  `Name,Phone,${column}\n${values.map((value, at) => `Row ${at},${from + at},"${value}"\n`).join('')}`

for (const [written, isFound] of [
  [bela.email, true],
  [` ${bela.email.toUpperCase()} `, true],
  [`Bela Nair <${bela.email}>`, true],
  ['Bela Nair', true],
  ['bela  nair', true],
  ['Bela', true],
  ['BELA', true],
  ['Nair', false],
  ['Suresh', false],
  [chand.email, false],
  ['Suresh (left)', false],
  ['Nobody Known', false],
] as const) {
  test(`the owner “${written}” is ${isFound ? 'found' : 'not found'}`, async () => {
    const { first_rows, unknown_values } = await preview(ofRows('Owner', [written]))
    assert.equal(first_rows[0].lead.assigned_to, isFound ? bela.email : undefined)
    assert.deepEqual(
      unknown_values.map(({ field, value, rows }: Record<string, unknown>) => [field, value, rows]),
      isFound ? [] : [['assigned_to', written.trim(), 1]],
    )
  })
}

const file = `Name,Phone,Owner,Stage,Rating,Lead Source
A,9820014001,Suresh (left),RNR,A1,Facebook
B,9820014002,suresh  (LEFT),rnr,A1,facebook
C,9820014003,Suresh (left),Not connected,High,FB ads
D,9820014004,Bela,Won,Low,FB ads
E,9820014005,,RNR,,
F,12,Ramesh,RNR,,
`

test('values that are not known are grouped in the preview, chosen once, and else kept as answers', async () => {
  const before = await preview(file)
  const listed = before.unknown_values.map(({ field, value, rows }: Record<string, unknown>) => [field, value, rows])
  assert.deepEqual(listed, [
    ['assigned_to', 'Suresh (left)', 3],
    ['status', 'RNR', 3],
    ['priority', 'A1', 2],
    ['source', 'FB ads', 2],
    ['status', 'Not connected', 1],
  ])
  assert.deepEqual(
    before.warnings.map(({ kind, rows }: Record<string, unknown>) => [kind, rows]),
    [
      ['owner', 3],
      ['status', 4],
      ['priority', 2],
    ],
  )
  const idOf = (value: string) => before.unknown_values.find((one: { value: string }) => one.value === value).id
  const values = {
    [idOf('Suresh (left)')]: chand.email,
    [idOf('RNR')]: 'Contacted',
    [idOf('A1')]: '',
    [idOf('FB ads')]: 'Facebook',
  }
  const after = await preview(file, encoded(values))
  assert.deepEqual(after.unknown_values, before.unknown_values)
  assert.deepEqual(
    after.warnings.map(({ kind, rows, examples }: Record<string, unknown>) => [kind, rows, examples]),
    [['status', 1, [{ line: 4, text: '“Not connected” is not a status; it is kept as an answer' }]]],
  )
  const { status, body } = await send(file, `?${encoded(values).slice(1)}`)
  assert.equal(status, 200, JSON.stringify(body))
  const leads = await app.owner`
    select leads.name, users.email as owner, status, priority, source, (
      select jsonb_object_agg(one->>'question', one->>'answer') from enquiries, jsonb_array_elements(answers) as one where lead_id = leads.id
    ) as answers from leads left join users on users.id = assigned_to where phone like '98200140%' order by phone`
  assert.deepEqual(
    leads.map((lead) => Object.values(lead)),
    [
      ['A', chand.email, 'Contacted', 'Medium', 'Facebook', { Rating: 'A1' }],
      ['B', chand.email, 'Contacted', 'Medium', 'Facebook', { Rating: 'A1' }],
      ['C', chand.email, 'New', 'High', 'Facebook', { Stage: 'Not connected' }],
      ['D', bela.email, 'Won', 'Low', 'Facebook', null],
      ['E', asha.email, 'Contacted', 'Medium', 'CSV import', null],
    ],
  )
})

test('a choice that the account or the user does not allow counts for nothing', async () => {
  const { unknown_values } = await preview(file, '', manager)
  const values = Object.fromEntries(
    unknown_values.map(({ id, field }: Record<string, string>) => [
      id,
      field === 'assigned_to' ? chand.email : 'Nonsense',
    ]),
  )
  const { warnings, first_rows } = await preview(file, encoded(values), manager)
  assert.deepEqual(
    warnings.map(({ kind, rows }: Record<string, unknown>) => [kind, rows]),
    [
      ['owner', 3],
      ['status', 4],
      ['priority', 2],
    ],
  )
  assert.equal(first_rows[0].lead.assigned_to, undefined)
  for (const wrong of ['x', '[]', '{"a":1}', `{"a":"${'x'.repeat(300)}"}`]) {
    const { status, body } = await send(file, `?dry_run=true&values=${encodeURIComponent(wrong)}`)
    assert.deepEqual([status, body.error.field], [400, 'values'])
  }
})

test('each kind of warning, and the rejected rows, are a file that can be imported', async () => {
  const rowsOf = async (kind: string) => (await send(file, `?dry_run=true&rows_of=${kind}`)).body as string
  assert.equal(
    (await rowsOf('priority')).replace('\ufeff', ''),
    `Name,Phone,Owner,Stage,Rating,Lead Source,Import warning\r
A,9820014001,Suresh (left),RNR,A1,Facebook,"“A1” is not a priority; it is kept as an answer"\r
B,9820014002,suresh  (LEFT),rnr,A1,facebook,"“A1” is not a priority; it is kept as an answer"\r
`,
  )
  assert.match(await rowsOf('rejected'), /^F,12,Ramesh,RNR,,,"“12” is not a valid phone number/m)
  assert.equal((await preview(await rowsOf('status'))).rows, 4)
  assert.equal((await send(file, '?dry_run=true&rows_of=nothing')).status, 400)
})

test('a file with other values in each row is counted within limits', async () => {
  const statuses = Array.from({ length: 250 }, (_, at) => `Stage ${at}`)
  const { unknown_values, other_unknown_values, warnings } = await preview(ofRows('Status', statuses))
  assert.deepEqual([unknown_values.length, other_unknown_values], [100, 150])
  assert.deepEqual([warnings.length, warnings[0].rows, warnings[0].examples.length], [1, 250, 5])
})
