import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import type { QuickReply } from './contract.ts'

const app = await testApp()
after(app.close)
const { asha, meena, bela, chand, zoya } = await people(app)
const { owner } = app
const [admin, manager, agent, stranger] = (await Promise.all(
  [asha, meena, bela, zoya].map((one) => signedIn(app, one)),
)) as [typeof asha, typeof asha, typeof asha, typeof asha]

const ofAccount = '/web/quick-replies'
const own = '/web/profile/quick-replies'

beforeEach(() => owner`delete from quick_replies`)

const add = (browser: typeof asha, url: string, title: string, text = 'Hello {name}, {agent} of {company}') =>
  browser.send('POST', url, { title, text })
const titles = (replies: QuickReply[]) => replies.map(({ title }) => title)
const seenBy = async (browser: typeof asha) => {
  const { account, own } = (await browser.send('GET', ofAccount)).body.data
  return [titles(account), titles(own)]
}

async function rejects(answer: () => Promise<Answer>, status: number, field: string | undefined, message: string) {
  const before = await world(owner)
  const { status: given, body } = await answer()
  assert.deepEqual([given, body.error.field, body.error.message], [status, field, message])
  assert.deepEqual(await world(owner), before)
}

test('users see the quick replies of the account and their own, in their order', async () => {
  for (const title of ['One', 'Two', 'Three']) assert.equal((await add(admin, ofAccount, title)).status, 201)
  const { body } = await add(agent, own, ' Mine ')
  assert.deepEqual(titles(body.data), ['Mine'])
  await add(admin, own, 'Of Asha')
  await add(stranger, ofAccount, 'Elsewhere')
  const [, , three] = (await admin.send('GET', ofAccount)).body.data.account
  const move = (position: number) => admin.send('PUT', `${ofAccount}/${three.id}/position`, { position })
  assert.deepEqual(titles((await move(1)).body.data), ['Three', 'One', 'Two'])
  assert.deepEqual(titles((await move(50)).body.data), ['One', 'Two', 'Three'])
  assert.deepEqual(titles((await move(2)).body.data), ['One', 'Three', 'Two'])
  assert.deepEqual(await seenBy(agent), [['One', 'Three', 'Two'], ['Mine']])
  assert.deepEqual(await seenBy(manager), [['One', 'Three', 'Two'], []])
  assert.deepEqual(await seenBy(stranger), [['Elsewhere'], []])
})

test('changes of those of the account are in the audit log, and one of two changes at once is rejected', async () => {
  const [{ id }] = (await add(admin, ofAccount, 'Offer', 'Our offer')).body.data
  const shown = { title: 'Offer', text: 'Our offer' }
  const change = (body: object) => admin.send('PATCH', `${ofAccount}/${id}`, body)
  const changed = await change({ text: 'Our new offer', was: { text: shown.text } })
  assert.deepEqual(changed.body.data, [{ id, title: 'Offer', text: 'Our new offer' }])
  const meanwhile = 'text was changed by someone else since you opened this form. Reload, then make your change again.'
  await rejects(() => change({ text: 'Another', was: { text: shown.text } }), 400, 'text', meanwhile)
  await change({ title: 'Best offer' })
  await admin.send('PUT', `${ofAccount}/${id}/position`, { position: 1 })
  assert.deepEqual((await admin.send('DELETE', `${ofAccount}/${id}`)).body.data, [])
  await add(admin, own, 'Mine')
  const entries = (await admin.send('GET', '/web/audit?action=quick_reply')).body.data.slice(0, 5)
  assert.deepEqual(
    entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['quick_reply.removed', { name: 'Best offer' }],
      ['quick_reply.moved', { name: 'Best offer', position: 1 }],
      ['quick_reply.changed', { name: 'Best offer' }],
      ['quick_reply.changed', { name: 'Offer', text: 'Our new offer' }],
      ['quick_reply.created', { name: 'Offer' }],
    ],
  )
})

test('a list is changed by those who hold it only', async () => {
  const [common] = (await add(admin, ofAccount, 'Common')).body.data
  const [ofBela] = (await add(agent, own, 'Of Bela')).body.data
  const none = 'There is no such quick reply.'
  for (const [browser, url] of [
    [agent, `${own}/${common.id}`],
    [admin, `${own}/${ofBela.id}`],
    [admin, `${ofAccount}/${ofBela.id}`],
    [stranger, `${ofAccount}/${common.id}`],
  ] as const) {
    await rejects(() => browser.send('PATCH', url, { title: 'X' }), 404, undefined, none)
    await rejects(() => browser.send('PUT', `${url}/position`, { position: 1 }), 404, undefined, none)
    await rejects(() => browser.send('DELETE', url), 404, undefined, none)
  }
})

test('a quick reply has a title and a text with known placeholders', async () => {
  const unknown = (name: string) =>
    `text has the unknown placeholder ${name}. Use {first_name}, {name}, {agent} or {company}.`
  await rejects(() => add(agent, own, 'X', 'Hello {naem}'), 400, 'text', unknown('{naem}'))
  const [{ id }] = (await add(agent, own, 'X', 'Hello {Name} {} }{')).body.data
  await rejects(() => agent.send('PATCH', `${own}/${id}`, { text: '{ name }' }), 400, 'text', unknown('{ name }'))
  await rejects(() => add(agent, own, 'X', ' \n '), 400, 'text', 'text is required.')
  await rejects(() => add(agent, own, '\u200b'), 400, 'title', 'title must have at least one visible character.')
  await rejects(() => add(agent, own, 'X', 'é'.repeat(1001)), 400, 'text', 'text must be at most 1000 characters.')
})

test('an account has 50 quick replies and a user 20, also by requests at once', async () => {
  for (const [browser, url, max, message] of [
    [admin, ofAccount, 50, 'The account has 50 quick replies. Delete one first.'],
    [agent, own, 20, 'You have 20 quick replies. Delete one first.'],
  ] as const) {
    for (let n = 0; n < max - 2; n++) await add(browser, url, `${n}`)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => add(browser, url, `last ${n}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 400, 400])
    await rejects(() => add(browser, url, 'more'), 400, 'title', message)
  }
})

test('opening WhatsApp is noted on the timeline of a lead that the user sees', async () => {
  const { id } = (await bela.send('POST', '/api/v1/leads', { name: 'Ravi', phone: '98300 00001' })).body.data
  const hidden = (await chand.send('POST', '/api/v1/leads', { name: 'Sita', phone: '98300 00002' })).body.data
  const [offer] = (await add(admin, ofAccount, 'Offer')).body.data
  const [ofAdmin] = (await add(admin, own, 'Of Asha')).body.data
  const open = (body: object, lead = id) => agent.send('POST', `/web/leads/${lead}/whatsapp`, body)
  const before = (await agent.send('GET', `/web/leads/${id}`)).body.data

  assert.equal((await open({ quick_reply_id: null })).status, 201)
  const text = 'Hello Ravi,\nBela of Acme'
  const { status, body } = await open({ quick_reply_id: offer.id, text })
  assert.deepEqual([status, body.data], [201, { summary: 'Bela opened WhatsApp with “Offer”.' }])

  const lead = (await agent.send('GET', `/web/leads/${id}`)).body.data
  assert.equal(lead.updated_at, before.updated_at)
  const noted = lead.timeline.entries.slice(0, 2)
  assert.deepEqual(
    noted.map(({ kind, summary, details }: Record<string, unknown>) => [kind, summary, details]),
    [
      ['whatsapp_opened', 'Bela opened WhatsApp with “Offer”.', { message: text }],
      ['whatsapp_opened', 'Bela opened WhatsApp.', {}],
    ],
  )
  const notTheirs = 'quick_reply_id must be a quick reply of the account or your own.'
  await rejects(() => open({ quick_reply_id: ofAdmin.id }), 400, 'quick_reply_id', notTheirs)
  await rejects(() => open({ quick_reply_id: null }, hidden.id), 404, undefined, 'No lead with this id.')
  const long = 'text must be at most 2000 characters.'
  await rejects(() => open({ quick_reply_id: offer.id, text: 'x'.repeat(2001) }), 400, 'text', long)

  await admin.send('DELETE', `/web/leads/${id}`)
  assert.equal((await owner`select 1 from timeline_entries where kind = 'whatsapp_opened'`).length, 0)
})
