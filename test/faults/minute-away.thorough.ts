import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../database.ts'
import { acknowledgedIn, assertLedgerHolds, newLedger, writeUntil } from '../ledger.ts'
import { account, addPlayer, ask } from '../people.ts'
import { serveBehindWire } from '../proxy.ts'
import { webhookOf } from '../webhooks.ts'

const store = await testDatabase()
const { wire, served, database } = await serveBehindWire({ after: (work) => after(work) }, store.signIns)
const acme = await account(database, 'Acme')
const asha = await addPlayer(database, served.url, acme, 'Asha', 'Admin', null)
const webhook = await webhookOf(served, acme)
after(store.close)

for (const [how, leave, comeBack] of [
  ['rejects connections', () => wire.cut(), () => wire.open()],
  ['is silent', async () => wire.freeze(), async () => wire.forgetOld()],
] as const) {
  test(`when the database ${how} for a minute under load, it goes on by itself, and nothing is lost or doubled`, async (t) => {
    const ledger = newLedger()
    const stop = new AbortController()
    const target = { url: served.url, key: asha.key.secret, webhook: webhook.path }
    const writing = writeUntil(stop.signal, target, ledger)
    const acknowledged = () => acknowledgedIn(ledger)
    const grown = async (by: number) => {
      const before = acknowledged()
      for (const deadline = Date.now() + 30_000; acknowledged() < before + by; await sleep(20))
        assert.ok(Date.now() < deadline, 'nothing is acknowledged')
    }
    await grown(50)
    await leave()
    await sleep(2000)
    const before = acknowledged()
    for (let second = 0; second < 58; second++) {
      assert.equal((await ask(served.url, null, 'GET', '/healthz')).status, 200)
      assert.equal((await ask(served.url, null, 'GET', '/readyz')).status, 503)
      await sleep(1000)
    }
    assert.equal(acknowledged(), before)
    await comeBack()
    await grown(50)
    stop.abort()
    await writing
    t.diagnostic(await assertLedgerHolds(store.owner, ledger))
  })
}
