import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const browser = await signedIn(app, asha)

test('without a session the web app’s routes answer 401, with one they are found', async () => {
  assert.equal((await fetch(`${app.url}/web/nowhere`)).status, 401)
  assert.equal((await browser.send('GET', '/web/nowhere')).status, 404)
})

test('a page of another site may change nothing', async () => {
  const answer = await browser.send('POST', '/web/nowhere', {}, { origin: 'https://elsewhere.example.com' })
  assert.deepEqual([answer.status, answer.body.error.code], [403, 'PERMISSION_DENIED'])
  assert.equal((await browser.send('POST', '/web/nowhere', {})).status, 404)
})
