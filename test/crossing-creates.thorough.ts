import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from './app.ts'
import { ask, people } from './people.ts'
import { assertCountsHold } from './records.ts'

const app = await testApp({ RATE_LIMIT_PER_MINUTE: '100000' })
after(app.close)
const { asha } = await people(app)

for (const many of [400, 1000]) {
  test(`${many} creates at once over 6 phones and 6 emails all succeed, and none makes a second lead of a contact`, async () => {
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', {
          name: `Ravi ${n}`,
          phone: `98${many}0000${n % 6}`.padEnd(10, '0').slice(0, 10),
          email: `ravi${Math.floor(n / 6) % 6}.${many}@example.com`,
        }),
      ),
    )
    const statuses = Object.groupBy(answers, ({ status }) => status)
    assert.deepEqual(
      Object.keys(statuses).filter((status) => status !== '200' && status !== '201'),
      [],
      JSON.stringify(answers.find(({ status }) => status > 201)?.body),
    )
    const [repeated] = await app.owner`
      select count(*) - count(distinct phone_key) as phones, count(email_key) - count(distinct email_key) as emails from leads`
    assert.deepEqual([Number(repeated!.phones), Number(repeated!.emails)], [0, 0])
    await assertCountsHold(app.owner)
  })
}
