import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { fillAccount } from './operations/demo/fill.ts'
import { asActor } from './server/platform/database/actor.ts'
import { filterConditions } from './server/crm/leads/lead-filters.ts'
import { allDays, dateWindow } from './server/platform/http/date-window.ts'
const app = await testApp()
after(app.close)
const { acme, asha, bela } = await people(app)
const admin = (await signedIn(app, asha))!
test('x', async () => {
  await fillAccount(app.connection, app.database, acme, { leads: 150000, days: 60, now: new Date(), onProgress: () => {} })
  await app.owner`update leads set product = 'P' || (hashtext(id::text) % 50)::text, campaign = case when hashtext(name||id::text) % 3 = 0 then 'C' || (hashtext(id::text) % 2000)::text end`
  await app.owner`vacuum analyze leads`
  for (const [actor, label] of [[asha.actor, 'admin'], [bela.actor, 'agent']] as const)
  for (const origin of [{ product: ['P7'] }, { product: ['P7', 'P8'] }, { campaign: ['C101'] }, { form: ['x'] }])
    await asActor(app.database, actor, async (tx) => {
      await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
      const filters = { window: dateWindow(allDays, new Date()), search: null, origin }
      const where = filterConditions(tx, actor, filters)
      const plan = await tx`explain (analyze, buffers, costs off) select id, created_at from (select * from leads where ${where} limit 10001) leads order by created_at desc limit 50`
      console.log(label, JSON.stringify(origin)); for (const row of plan) console.log('   ', row['QUERY PLAN'])
    })
  for (const q of ['product=P7', 'product=P7&product=P8&product=P9&product=P10&product=P11&product=P12', 'campaign=C101', 'form=x', 'from_date=2020-01-01']) {
    for (let i = 0; i < 3; i++) {
    const t = performance.now()
    const { body } = await admin.send('GET', `/web/leads?${q}&limit=50&from_date=2020-01-01`)
    if (i === 2) console.log(q, JSON.stringify(body.pagination), (performance.now() - t).toFixed(1), 'ms')
    }
  }
  for (const path of ['/web/leads/choices', '/web/leads/questions']) for (let i = 0; i < 3; i++) {
    const t = performance.now(); await admin.send('GET', path); if (i === 2) console.log(path, (performance.now() - t).toFixed(1), 'ms')
  }
})
