import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { connect } from '../../platform/database/connect.ts'
import { type Email, renderEmail } from '../../platform/mail/email.ts'
import type { OriginReport, UserReport } from '../reports/contract.ts'
import { weeklyEmails } from './weekly-emails.ts'

/** A Monday: 09:00 in India, when the working hours start. */
const monday = new Date('2026-11-23T03:30:00Z')
let now = monday
const app = await testApp({}, () => now)
const second = connect(app.signIns)
after(async () => {
  await second.close()
  await app.close()
})
const { acme, asha, meena, bela, chand } = await people(app)
const surroundings = { mailer: {}, baseUrl: app.url, clock: () => now }
type Browser = Pick<Player, 'send'>
const browsers = new Map<Player, Browser>()
const as = (player: Player) => browsers.get(player)!

const day = 24 * 60 * 60_000
const at = (days: number) => new Date(monday.getTime() + days * day)
let phone = 9_810_000_000
async function createLead(more: object) {
  const { status, body } = await as(asha).send('POST', '/web/leads', { name: 'Lead', phone: String(++phone), ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id as string
}

before(async () => {
  for (const player of [asha, meena, bela, chand]) browsers.set(player, await signedIn(app, player))
  // The week before.
  now = at(-12)
  const website = await webhookOf(app, acme, { name: 'Website', default_assignee: chand.id })
  for (let n = 0; n < 20; n++) await website.send({ name: 'Often', phone: String(++phone) })
  await createLead({ assigned_to: bela.email, source: 'Fair', status: 'Won', deal_value: 500_000 })
  // Last week.
  now = at(-3)
  const portal = await webhookOf(app, acme, { name: 'Portal <b>' })
  assert.equal((await portal.send({ city: 'Pune' })).status, 400)
  await createLead({ assigned_to: bela.email, source: 'Fair', status: 'Won', deal_value: 1_250_000 })
  await createLead({ assigned_to: bela.email, source: 'Fair' })
  await createLead({ assigned_to: chand.email, source: 'Website' })
  const called = await createLead({ assigned_to: bela.email, source: '99acres' })
  now = new Date(at(-3).getTime() + 12 * 60_000)
  const call = { lead_id: called, called_at: now.toISOString() }
  const answered = { ...call, call_type: 'Outbound', duration_seconds: 60, outcome: 'Completed' }
  const missed = { ...call, call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' }
  for (const one of [answered, { ...missed, called_at: new Date(now.getTime() + 1000).toISOString() }]) {
    const { status, body } = await asha.send('POST', '/api/v1/call-logs', one)
    assert.equal(status, 201, JSON.stringify(body))
  }
  const overdue = { call_again_at: at(-2).toISOString() }
  assert.equal((await as(asha).send('PATCH', `/web/leads/${called}`, overdue)).status, 200)
  now = monday
})

async function due(database = app.database): Promise<Email[]> {
  return Array.fromAsync(weeklyEmails(database, surroundings)(acme.account_id))
}

test('an Agent cannot choose it, and without the choice it is sent to no user', async () => {
  const { status, body } = await as(bela).send('PATCH', '/web/notifications', { weekly_email: true })
  assert.deepEqual([status, body.error.code], [403, 'PERMISSION_DENIED'])
  assert.equal((await as(bela).send('GET', '/web/notifications')).body.data.weekly_email, false)
  assert.deepEqual(await due(), [])
  for (const player of [asha, meena]) {
    const changed = await as(player).send('PATCH', '/web/notifications', { weekly_email: true })
    assert.deepEqual([changed.status, changed.body.data.weekly_email, changed.body.data.digest], [200, true, true])
  }
  // Bela was a Manager when she chose it.
  await app.owner`insert into notification_settings (account_id, user_id, weekly_email, created_at)
    values (${acme.account_id}, ${bela.id}, true, now())`
})

test('it is sent once, by one of two processes, when the first working day of the week starts', async () => {
  for (const other of [new Date(monday.getTime() - 60_000), at(1), at(6)]) {
    now = other
    assert.deepEqual(await due(), [], other.toISOString())
  }
  now = monday
  const emails = (await Promise.all([due(), due(second)])).flat()
  assert.deepEqual(emails.map(({ to }) => to).sort(), [asha.email, meena.email])
  assert.deepEqual(await due(), [])
})

async function emailTo(player: Player): Promise<Email> {
  await app.owner`delete from sent_notices`
  return (await due()).find(({ to }) => to === player.email)!
}

const week = 'from_date=2026-11-16&to_date=2026-11-22'

/** The figures of the report as the email has them. */
const figure = (text: string, label: string) =>
  new RegExp(`^${label}: (.+) \\((.+)\\) <(.+)>$`, 'm').exec(text)?.slice(1, 4)

test('a Manager gets the figures of the report of the team, each with a link to the leads that it counts', async () => {
  const { subject, ...email } = await emailTo(meena)
  assert.equal(subject.replaceAll('\u2009', ' '), '16 – 22 Nov 2026: 3 new leads, 1 won')
  const { text } = renderEmail(email)
  const report: UserReport = (await as(meena).send('GET', `/web/reports/users?${week}`)).body.data
  const { figures, before } = report.total
  const belas = report.rows.find(({ key }) => key === bela.email)!
  assert.deepEqual([figures.leads, before.leads, belas.figures.leads], [3, 1, 3])
  const paragraphs = text.split('\n\n')
  const [total, ofBela] = [
    paragraphs.find((one) => one.startsWith('New leads'))!,
    paragraphs.find((one) => one.startsWith('Bela\n'))!,
  ]
  for (const [paragraph, row] of [
    [total, report.total],
    [ofBela, belas],
  ] as const) {
    const shown = ['New leads', 'Uncalled leads', 'Missed calls not called back', 'Won leads'].map((label) =>
      figure(paragraph, label)?.slice(0, 2).map(Number),
    )
    const reported = (['leads', 'uncalled', 'unreturned', 'won'] as const).map((name) => [
      row.figures[name],
      row.before[name],
    ])
    assert.deepEqual(shown, reported)
    assert.deepEqual(figure(paragraph, 'Won value')?.slice(0, 2), ['₹12,50,000', '₹5,00,000'])
    assert.deepEqual(figure(paragraph, 'Time to first call, median')?.slice(0, 2), ['12 min', '–'])
    for (const [label, count] of [
      ['New leads', row.figures.leads],
      ['Uncalled leads', row.figures.uncalled],
      ['Won leads', row.figures.won],
    ] as const) {
      const link = new URL(figure(paragraph, label)![2]!)
      const { status, body } = await as(meena).send('GET', `/web${link.pathname}${link.search}`)
      assert.deepEqual([status, body.pagination.total], [200, count], link.href)
    }
  }
  assert.equal(figures.overdue, 1)
  assert.match(text, /^Figures may be wrong or incomplete:\n1 call is overdue <\S+\/leads\?follow_up=overdue>$/m)
  assert.doesNotMatch(text, /Chand|Website|Portal/)
})

test('an Admin gets the figures of all, by source, and which webhooks are silent or reject', async () => {
  const { subject, ...email } = await emailTo(asha)
  assert.equal(subject.replaceAll('\u2009', ' '), '16 – 22 Nov 2026: 4 new leads, 1 won')
  const { text, html } = renderEmail(email)
  const report: OriginReport = (await as(asha).send('GET', `/web/reports/origins?${week}`)).body.data
  assert.equal(report.rows[0]!.name, 'Fair')
  const fair = text.split('\n\n').find((one) => one.startsWith('Fair\n'))!
  assert.deepEqual(figure(fair, 'New leads')?.slice(0, 2).map(Number), [
    report.rows[0]!.figures.leads,
    report.rows[0]!.before.leads,
  ])
  const link = new URL(figure(fair, 'New leads')![2]!)
  assert.equal(link.searchParams.get('source'), 'Fair')
  assert.match(text, /^Website: no deliveries since 11 Nov 2026 <\S+\/settings\/webhooks\/[\w-]{36}>$/m)
  assert.match(text, /^Portal <b>: 1 delivery rejected <\S+\?tab=deliveries&outcome=rejected>$/m)
  assert.match(html, /<a href="[^"]+outcome=rejected">Portal &lt;b&gt;: 1 delivery rejected<\/a>/)
  assert.match(html, /<p>Chand · <a href="[^"]+first_owner=chand/)
})

test('it is in the language of the user', async () => {
  assert.equal((await as(meena).send('PUT', '/web/me/language', { language: 'hi' })).status, 200)
  const { subject, ...email } = await emailTo(meena)
  assert.match(subject, /3 नई लीड/)
  const { text } = renderEmail(email)
  assert.match(text, /^नमस्ते Meena,$/m)
  assert.doesNotMatch(text.replace(/<\S+>|http\S+/g, ''), /lead|won|call|by|week/i)
})
