import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { newTags } from './fields.ts'

const app = await testApp()
after(() => app.close())
const { owner } = app
const { acme, asha } = await people(app)
const web = await signedIn(app, asha)

for (const [held, offered, expected] of [
  [[], ['Hot', 'hot', 'HOT'], ['Hot']],
  [['hot'], ['Hot', 'New'], ['New']],
  [['Hot', 'hot'], ['HOT'], []],
  [[], ['É', 'é', 'e'], ['É', 'e']],
  [[], [], []],
] as const)
  test(`of ${offered.join(', ') || 'no tags'} beside ${held.join(', ') || 'none'}, ${expected.join(', ') || 'none'} is new`, () =>
    assert.deepEqual(newTags(held, offered), expected))

const tagsOf = async (phone: string) => (await owner`select tags from leads where phone = ${phone}`)[0]?.tags

test('tags that differ in upper and lower case only are one tag, from wherever they come', async () => {
  const lead = (phone: string, tags: string[]) => ({ name: 'Meera', phone, tags })
  const webhook = await webhookOf(app, acme, { default_tags: ['Portal', 'portal'] })
  const api = (phone: string, tags: string[]) => asha.send('POST', '/api/v1/leads', lead(phone, tags))
  await api('9820021001', ['Hot', 'hot', 'New'])
  assert.deepEqual(await tagsOf('9820021001'), ['Hot', 'New'])
  await api('9820021001', ['HOT', 'new', 'Third'])
  assert.deepEqual(await tagsOf('9820021001'), ['Hot', 'New', 'Third'])

  await web.send('POST', '/web/leads', lead('9820021002', ['Hot', 'hot']))
  assert.deepEqual(await tagsOf('9820021002'), ['Hot'])
  const [{ id }] = (await owner`select id from leads where phone = '9820021002'`) as unknown as [{ id: string }]
  const change = (body: object) => web.send('PATCH', `/web/leads/${id}`, body)
  await change({ add_tags: ['HOT', 'cold', 'Cold'] })
  assert.deepEqual(await tagsOf('9820021002'), ['Hot', 'cold'])
  await change({ add_tags: ['Cold'], remove_tags: ['cold'] })
  assert.deepEqual(await tagsOf('9820021002'), ['Hot', 'Cold'])

  for (const phone of ['9820021003', '9820021001'])
    assert.equal((await webhook.send(lead(phone, ['HOT', 'PORTAL', 'hot']))).status, 200)
  assert.deepEqual(await tagsOf('9820021003'), ['HOT', 'Portal'])
  assert.deepEqual(await tagsOf('9820021001'), ['Hot', 'New', 'Third', 'Portal'])

  const file = 'Name,Phone,Tags\nMeera,9820021004,Hot;hot\nMeera,9820021001,hot;Fifth\n'
  const imported = await web.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  assert.deepEqual(await tagsOf('9820021004'), ['Hot'])
  assert.deepEqual(await tagsOf('9820021001'), ['Hot', 'New', 'Third', 'Portal', 'Fifth'])

  const { body: listed } = await web.send('GET', '/web/leads?tag=hOT')
  assert.equal(listed.pagination.total, 4)
  const { body: choices } = await web.send('GET', '/web/leads/choices')
  assert.deepEqual(
    choices.data.tags.filter((tag: string) => /hot/i.test(tag)),
    ['Hot'],
  )
})

test('a change of another field keeps tags that were saved before', async () => {
  await asha.send('POST', '/api/v1/leads', { name: 'Uma', phone: '9820021009', tags: ['Hot'] })
  await owner`update leads set tags = '{Hot,hot}', answer_start = null where phone = '9820021009'`
  await asha.send('POST', '/api/v1/leads', { name: 'Uma', phone: '9820021009', city: 'Pune' })
  assert.deepEqual(await tagsOf('9820021009'), ['Hot', 'hot'])
})
