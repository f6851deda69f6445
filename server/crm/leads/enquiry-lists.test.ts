import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../platform/database/actor.ts'
import { matchesSearch } from './match-search.ts'
import { searchTerms } from './search-terms.ts'

type Browser = Pick<Player, 'send'>

const app = await testApp()
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((one) => signedIn(app, one)),
)) as [Browser, Browser, Browser, Browser]
const webhooks = await Promise.all(
  [bela, chand].map((one) => webhookOf(app, acme, { default_assignee: one.id, default_source: 'Housing' })),
)

const budget = 'What is your budget?'
const visit = 'कब देखना चाहेंगे?'

before(async () => {
  const [ofBela, ofChand] = webhooks
  for (const [webhook, sent] of [
    [ofBela!, { name: 'Anil', campaign: 'Diwali', project: 'Lake View', form: 'Site visit', [budget]: '60–80 lakh' }],
    [ofBela!, { name: 'Bina', campaign: 'Holi', project: 'Lake View', [budget]: '1 crore', [visit]: 'रविवार' }],
    [ofBela!, { name: 'Chitra', campaign: 'diwali', project: 'Hill Top', ad_name: 'Video 1', [visit]: 'कल' }],
    [ofChand!, { name: 'Dev', campaign: 'Diwali', project: 'Lake View', [budget]: '2 crore' }],
    [ofChand!, { name: 'Esha' }],
  ] as const) {
    const phone = `98500000${10 + sent.name.charCodeAt(0)}`
    const { status, body } = await webhook.send({ ...sent, phone })
    assert.equal(status, 200, JSON.stringify(body))
  }
})

type Query = Record<string, string | readonly string[]>
const parameters = (query: Query) =>
  new URLSearchParams(Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value])))
const ask = async (browser: Browser, query: Query) => {
  const { status, body } = await browser.send('GET', `/web/leads?${parameters(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
interface Listed {
  name: string
  product: string | null
  campaign: string | null
  ad: string | null
  form: string | null
  answers: Record<string, string> | null
}
const names = (data: Listed[]) => data.map(({ name }) => name).sort()

for (const [query, found] of [
  [{ product: 'Lake View' }, ['Anil', 'Bina', 'Dev']],
  [{ product: ['Lake View', 'Hill Top'] }, ['Anil', 'Bina', 'Chitra', 'Dev']],
  [{ campaign: 'Diwali' }, ['Anil', 'Dev']],
  [{ campaign: 'diwali' }, ['Chitra']],
  [{ campaign: 'Diwali', product: 'Lake View', source: 'Housing' }, ['Anil', 'Dev']],
  [{ ad: 'Video 1' }, ['Chitra']],
  [{ form: 'Site visit' }, ['Anil']],
  [{ form: 'Site' }, []],
  [{ product: 'Lake View', search: 'bina' }, ['Bina']],
] satisfies [Query, string[]][]) {
  test(`${JSON.stringify(query)} lists ${found.join(', ') || 'nothing'}, for each role what it sees, with totals`, async () => {
    const ofBela = found.filter((name) => name < 'D')
    for (const [browser, expected] of [
      [admin, found],
      [manager, ofBela],
      [agent, ofBela],
      [stranger, []],
    ] as const)
      for (const sort of ['newest', 'name', 'value']) {
        const { data, pagination } = await ask(browser, { ...query, sort })
        assert.deepEqual(names(data), expected, `${sort}`)
        assert.deepEqual([pagination.total, pagination.total_capped], [expected.length, false])
      }
    const { body } = await admin.send('GET', `/web/leads/value?${parameters(query)}`)
    assert.equal(body.data.all, 0)
  })
}

test('a list has the origin of its leads, and the newest answers to the questions that are asked for', async () => {
  const { data } = await ask(admin, { question: [budget, visit], sort: 'name' })
  assert.deepEqual(
    data.map(({ name, product, campaign, ad, form, answers }: Listed) => [name, product, campaign, ad, form, answers]),
    [
      ['Anil', 'Lake View', 'Diwali', null, 'Site visit', { [budget]: '60–80 lakh' }],
      ['Bina', 'Lake View', 'Holi', null, null, { [budget]: '1 crore', [visit]: 'रविवार' }],
      ['Chitra', 'Hill Top', 'diwali', 'Video 1', null, { [visit]: 'कल' }],
      ['Dev', 'Lake View', 'Diwali', null, null, { [budget]: '2 crore' }],
      ['Esha', null, null, null, null, null],
    ],
  )
  await enquiredEarlier(app.owner)
  await webhooks[0]!.send({ name: 'Anil', phone: `98500000${10 + 65}`, [budget]: '90 lakh', campaign: 'Holi' })
  await webhooks[0]!.send({ name: 'Bina', phone: `98500000${10 + 66}`, [visit]: 'सोमवार' })
  for (const question of [budget, 'What is']) {
    const [anil, bina] = (await ask(agent, { question, sort: 'newest', assigned_to: bela.email })).data.toSorted(
      (one: Listed, other: Listed) => one.name.localeCompare(other.name),
    )
    assert.deepEqual([anil.campaign, anil.answers], ['Diwali', { [question]: '90 lakh' }])
    assert.deepEqual(bina.answers, { [question]: '1 crore' })
  }
  const { data: plain } = await ask(admin, {})
  assert.ok(!('answers' in plain[0]) && 'product' in plain[0])
  const tooMany = await admin.send('GET', `/web/leads?${parameters({ question: ['a', 'b', 'c', 'd', 'e', 'f'] })}`)
  assert.equal(tooMany.status, 400)
})

test('the REST API and its list do not have them', async () => {
  const { data, pagination } = (await asha.send('GET', '/api/v1/leads?product=Lake%20View')).body
  assert.equal(pagination.total, 5)
  for (const name of ['product', 'campaign', 'ad', 'form', 'answers']) assert.ok(!(name in data[0]), name)
})

test('values and questions are offered by their number, of the leads that a user sees', async () => {
  const choices = async (browser: Browser) => (await browser.send('GET', '/web/leads/choices')).body.data
  const questions = async (browser: Browser) => (await browser.send('GET', '/web/leads/questions')).body.data
  const { product, campaign, ad, form } = await choices(admin)
  assert.deepEqual(
    [product, campaign, ad, form],
    [['Lake View', 'Hill Top'], ['Diwali', 'Holi', 'diwali'], ['Video 1'], ['Site visit']],
  )
  assert.deepEqual(await questions(admin), [budget, visit])
  assert.deepEqual((await choices(agent)).campaign.toSorted(), ['Diwali', 'Holi', 'diwali'])
  const [chandBrowser] = await Promise.all([signedIn(app, chand)])
  assert.deepEqual((await choices(chandBrowser!)).product, ['Lake View'])
  assert.deepEqual(await questions(chandBrowser!), [budget])
  assert.deepEqual([(await choices(stranger)).product, await questions(stranger)], [[], []])
})

test('a search finds the words of answers, products and campaigns, for each role in what it sees', async () => {
  for (const [search, found] of [
    ['crore', ['Bina', 'Dev']],
    ['2 CRORE', ['Dev']],
    ['रविवार', ['Bina']],
    ['hill top', ['Chitra']],
    ['diwali', ['Anil', 'Chitra', 'Dev']],
    ['lake crore', ['Bina', 'Dev']],
    ['cror', []],
    ['budget', []],
    ['an', ['Anil']],
  ] as const)
    for (const [browser, expected] of [
      [admin, found],
      [agent, found.filter((name) => name < 'D')],
      [stranger, []],
    ] as const) {
      const { data, pagination } = await ask(browser, { search })
      assert.deepEqual([names(data), pagination.total], [expected, expected.length], search)
      const { body } = await browser.send('GET', `/web/leads/value?${parameters({ search })}`)
      assert.equal(body.data.all, 0)
    }
  const { body: file } = await admin.send('GET', '/web/leads.csv?search=crore')
  for (const [name, has] of Object.entries({ Bina: true, Dev: true, Anil: false }))
    assert.equal(file.includes(name), has)
})

test('a search finds the same leads by the index of words and by looking at each lead', async () => {
  for (const search of ['crore', 'lake crore', 'रविवार', 'diwali', 'an', 'zzz', '—', "bina's"])
    for (const { actor } of [asha, bela, zoya]) {
      const terms = searchTerms(search, 'IN')
      const found = await asActor(app.database, actor, async (tx) => {
        const by = (commonWords: boolean) => tx`select id from leads where account_id = ${actor.account_id}
          and ${matchesSearch(tx, actor.account_id, terms, { commonWords })} order by id`
        return { byIndex: [...(await by(false))], each: [...(await by(true))] }
      })
      assert.deepEqual(found.byIndex, found.each, search)
    }
})

test('a saved view keeps filters by origin and columns of answers, and is counted', async () => {
  const search = { campaign: ['Diwali'], columns: ['phone', 'product', `answer:${budget}`], days: 36_500 }
  const { status, body } = await admin.send('POST', '/web/views', { name: 'Diwali', search, shared: true })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual((await agent.send('GET', '/web/views')).body.data[0].search, search)
  assert.deepEqual((await admin.send('GET', '/web/views/counts')).body.data[body.id], { total: 2, capped: false })
  assert.deepEqual((await agent.send('GET', '/web/views/counts')).body.data[body.id], { total: 1, capped: false })
  const other = { name: 'Other', search: { columns: ['answers:x'] }, shared: false }
  assert.equal((await admin.send('POST', '/web/views', other)).status, 400)
})

test('a bulk change and an export take the leads of the filters', async () => {
  const change = { matching: { campaign: ['Diwali'], product: ['Lake View'] }, change: { add_tags: ['festival'] } }
  const { status, body } = await admin.send('POST', '/web/bulk-changes', change)
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.data.total, 2)
  const { body: file } = await admin.send('GET', '/web/leads.csv?campaign=Holi')
  assert.match(file, /Bina/)
  assert.doesNotMatch(file, /Anil|Chitra|Dev/)
  const [entry] = await app.owner`select details from audit_log where action = 'leads.exported' order by id desc`
  assert.deepEqual(entry!.details.campaign, ['Holi'])
})
