import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createBackup } from '../../operations/backup/create-backup.ts'
import { hashSecret } from '../../server/access/api-keys/secret.ts'
import { testApp } from '../app.ts'
import { account, addPlayer } from '../people.ts'
import { webhookOf } from '../webhooks.ts'
import { key } from './key.ts'

/** Writes a small backup of the current schema, with a bit of everything, for the test of all earlier versions. */
const app = await testApp()
after(app.close)

test('writes the backup', async () => {
  const acme = await account(app.database, 'Acme')
  const asha = await addPlayer(app.database, app.url, acme, 'Asha', 'Admin', null)
  const bela = await addPlayer(app.database, app.url, acme, 'Bela', 'Agent', 'north')
  const lead = { name: 'Ravi Kumar', phone: '098100 44321', city: 'Pune', tags: ['3 BHK'], deal_value: 4500000.5 }
  const { body } = await bela.send('POST', '/api/v1/leads', lead, { 'idempotency-key': 'one' })
  await bela.send('POST', '/api/v1/leads', { ...lead, status: 'Contacted', notes: 'Wants a visit\non Sunday' })
  const call = { lead_id: body.data.id, call_type: 'Outbound', duration_seconds: 95, notes: 'रविवार को' }
  await bela.send('POST', '/api/v1/call-logs', call)
  await asha.send('POST', '/api/v1/leads', { name: 'Asha Rao', email: 'asha.rao@example.com' })
  const webhook = await webhookOf(app, acme, { default_assignee: bela.id })
  await webhook.send({ contact: { full_name: 'Sunil Mehta', mobile: '98200 11223' }, message: 'Call me' })
  await webhook.send({ name: 'No contact' })
  const gone = await asha.send('POST', '/api/v1/leads', { name: 'Deleted', phone: '9811223344' })
  await asha.send('DELETE', `/api/v1/leads/${gone.body.data.id}`)
  await app.owner`update api_keys set secret_hash = ${hashSecret(key)}, last_four = ${key.slice(-4)} where id = ${asha.key.id}`
  const [last] = await app.owner<{ file: string }[]>`select max(file) as file from migrations`
  const file = join(import.meta.dirname, `${last!.file.slice(0, 4)}.backup`)
  rmSync(file, { force: true })
  await createBackup(app.connection, file)
  rmSync(`${file}.erased`)
})
