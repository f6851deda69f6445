import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { type Language, languages } from '../../platform/languages/contract.ts'
import { translateSummary } from '../timeline/translate-summary.ts'
import { textFieldNames, textFields } from './fields.ts'

const app = await testApp()
after(app.close)
const { asha, acme } = await people(app)
const browser = await signedIn(app, asha)
const webhook = await webhookOf(app, acme)

let serial = 0
const newPhone = () => `+9198100${10_000 + ++serial}`

const create = (lead: object) => asha.send('POST', '/api/v1/leads', { name: 'Ravi', ...lead })

async function listed(id: string) {
  const { body } = await asha.send('GET', '/api/v1/leads')
  return body.data.find((lead: { id: string }) => lead.id === id)
}

for (const field of textFieldNames) {
  const { label, maxLength, merge } = textFields[field]

  test(`${field} is answered, replaced and listed by the REST API`, async () => {
    const phone = newPhone()
    const { status, body } = await create({ phone, [field]: 'One' })
    assert.equal(status, 201)
    assert.equal(body.data[field], 'One')
    assert.equal((await create({ phone, [field]: 'Two' })).body.data[field], 'Two')
    assert.equal((await listed(body.data.id))[field], 'Two')
    assert.equal((await create({ phone: newPhone() })).body.data[field], null)
  })

  test(`${field} has at most ${maxLength} characters`, async () => {
    const phone = newPhone()
    const { status, body } = await create({ phone, [field]: 'x'.repeat(maxLength + 1) })
    assert.equal(status, 400)
    assert.equal(body.error.field, field)
    assert.equal((await create({ phone, [field]: 'x'.repeat(maxLength) })).status, 201)
  })

  test(`a webhook reads ${field} and merges it`, async () => {
    const phone = newPhone()
    const { body } = await create({ phone, name: 'Ravi' })
    const { id } = body.data
    assert.equal((await webhook.send({ name: 'Ravi', phone, [field]: 'Orchard' })).status, 200)
    const first = (await listed(id))[field]
    assert.equal(first, { fill: 'Orchard', keep: null }[merge as string])
    await webhook.send({ name: 'Ravi', phone, [field]: 'Meadow' })
    assert.equal((await listed(id))[field], first)
    const entry = (await timelineOf(app.owner, id)).at(-1)!
    assert.match(entry.summary, new RegExp(`Not taken: ${label.toLowerCase()}`))
  })

  test(`${field} has a name in the timelines of each language`, () => {
    const english = `Asha changed ${label.toLowerCase()}: 1 → 2.`
    for (const language of Object.keys(languages) as Language[])
      assert.equal(translateSummary(english, language).includes(label.toLowerCase()), language === 'en', language)
  })

  test(`${field} is changed and emptied in the web app`, async () => {
    const { body } = await create({ phone: newPhone(), [field]: 'One' })
    const path = `/web/leads/${body.data.id}`
    assert.equal((await browser.send('GET', path)).body.data[field], 'One')
    assert.equal((await browser.send('PATCH', path, { [field]: 'Two' })).body.data[field], 'Two')
    const { body: emptied } = await browser.send('PATCH', path, { [field]: null })
    assert.equal(emptied.data[field], null)
    assert.deepEqual(emptied.data.timeline.entries[0].details.changes, [{ field, before: 'Two', after: null }])
    const { body: list } = await browser.send('GET', '/web/leads?sort=updated')
    assert.equal(list.data.find((lead: { id: string }) => lead.id === body.data.id)[field], null)
  })

  test(`${field} is exported as ${label} and imported from it`, async () => {
    const phone = newPhone()
    await create({ phone, [field]: 'Exported' })
    const [header, ...rows] = (await browser.send('GET', '/web/leads.csv')).body.trim().split('\r\n')
    const at = header.split(',').indexOf(label)
    const row = rows.find((line: string) => line.includes(phone.slice(3)))
    assert.equal(row.split(',')[at], 'Exported')

    const imported = newPhone()
    const file = `Name,Phone,${label}\nMeena,${imported},Imported\n`
    await browser.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
    const [lead] = await app.owner`select ${app.owner(field)} as text from leads where phone_key = ${imported}`
    assert.equal(lead!.text, 'Imported')
  })
}
