import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const browser = await signedIn(app, asha)

test('the web app’s routes answer 401 without a session, and work with one', async () => {
  assert.equal((await fetch(`${app.url}/web/nowhere`)).status, 401)
  assert.equal((await browser.send('GET', '/web/nowhere')).status, 404)
})
