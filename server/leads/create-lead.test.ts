import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)

test('a new person is a new lead', async () => {
  const { status, body } = await asha.send('POST', '/api/v1/leads', { name: 'Ravi Kumar', phone: '+91 98100 44321' })
  console.log(status, JSON.stringify(body))
  assert.equal(status, 201)
  const list = await asha.send('GET', '/api/v1/leads')
  console.log(list.status, JSON.stringify(list.body))
  const again = await asha.send('POST', '/api/v1/leads', { name: 'Ravi K', phone: '9810044321', city: 'Pune' })
  console.log(again.status, JSON.stringify(again.body))
})
