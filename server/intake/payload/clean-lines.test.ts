import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

/** Texts with marks that cannot be seen, and as they are kept. */
const texts: Record<string, [sent: string, kept: string][]> = {
  'marks that hide': [
    ['Ra\u200bvi', 'Ravi'],
    ['\ufeffRavi Rao', 'Ravi Rao'],
    ['Hyder\u00adabad', 'Hyderabad'],
    ['Ravi\u200e Rao', 'Ravi Rao'],
    ['\u200fRavi', 'Ravi'],
    ['\u202aRavi\u202c', 'Ravi'],
    ['\u2068Ravi\u2069 Rao', 'Ravi Rao'],
    ['Face\u2060book', 'Facebook'],
    ['\u061cRavi', 'Ravi'],
    ['Ravi\u2063', 'Ravi'],
    ['Ra\u180evi', 'Ravi'],
  ],
  spaces: [
    ['Navi\u00a0Mumbai', 'Navi Mumbai'],
    ['Navi\u202fMumbai', 'Navi Mumbai'],
    ['Navi\u2009Mumbai', 'Navi Mumbai'],
    ['Navi\u3000Mumbai', 'Navi Mumbai'],
    ['Navi  Mumbai', 'Navi Mumbai'],
    ['Navi \u00a0 Mumbai', 'Navi Mumbai'],
    ['\u00a0Navi Mumbai\u00a0', 'Navi Mumbai'],
    ['Navi\u205fMumbai', 'Navi Mumbai'],
    ['Navi\u2003\u200bMumbai', 'Navi Mumbai'],
    ['Navi\u1680Mumbai', 'Navi Mumbai'],
    ['  Navi   Mumbai  ', 'Navi Mumbai'],
  ],
  joiners: [
    ['क्\u200dषमा', 'क्\u200dषमा'],
    ['श्री\u200cमती', 'श्री\u200cमती'],
    ['മോഹന്\u200d', 'മോഹന്\u200d'],
    ['র\u200d্যাব', 'র\u200d্যাব'],
    ['రాజ్\u200cకుమార్', 'రాజ్\u200cకుమార్'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👨\u200d👩\u200d👧 Rao', '👨\u200d👩\u200d👧 Rao'],
    ['❤\ufe0f\u200d🔥 VIP', '❤\ufe0f\u200d🔥 VIP'],
    ['Ra\u200dvi', 'Ravi'],
    ['Ravi\u200c Rao', 'Ravi Rao'],
    ['\u200dRavi', 'Ravi'],
    ['राम\u200d', 'राम'],
    ['क्\u200d\u200dषमा', 'क्\u200dषमा'],
  ],
}

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const web = await signedIn(app, asha)
const webhook = await webhookOf(app, acme)

let last = 9_830_000_000
const fieldsOf = async (phone: string) =>
  (await app.owner`select name, company, city, source, tags from leads where phone = ${phone}`)[0]

for (const [kind, pairs] of Object.entries(texts))
  test(`REST, web app, webhook and file keep the same of ${kind}`, async () => {
    for (const [sent, kept] of pairs) {
      const lead = () => ({
        name: sent,
        company: sent,
        city: sent,
        source: sent,
        tags: [sent, kept],
        phone: String(++last),
      })
      const cell = `"${sent}"`
      const file = (phone: string) =>
        `Name,Company,City,Source,Tags,Phone\n${cell},${cell},${cell},${cell},"${sent};${kept}",${phone}\n`
      const ways: [name: string, send: () => Promise<{ status: number }>][] = [
        ['REST', () => asha.send('POST', '/api/v1/leads', lead())],
        ['web app', () => web.send('POST', '/web/leads', lead())],
        ['webhook', () => webhook.send(lead())],
        ['file', () => web.send('POST', '/web/leads/import', file(String(++last)), { 'content-type': 'text/csv' })],
      ]
      for (const [way, send] of ways) {
        const { status } = await send()
        assert.ok(status < 300, `${way}: ${status}`)
        const expected = { name: kept, company: kept, city: kept, source: kept, tags: [kept] }
        assert.deepEqual({ ...(await fieldsOf(String(last))) }, expected, `${way}: ${JSON.stringify(sent)}`)
      }
    }
  })
