import assert from 'node:assert/strict'
import { moveChanges } from '../server/crm/counts/move-changes.ts'
import { allCounts } from '../server/crm/counts/tables.ts'
import { addRule } from '../server/crm/distribution/store.ts'
import { createWebhook } from '../server/intake/webhooks/store.ts'
import { asActor } from '../server/platform/database/actor.ts'
import type { Database } from '../server/platform/database/connect.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import type { people } from './people.ts'
import { until } from './until.ts'

/** Adds a row of every kind for everyone, in both accounts, and a lead that is nobody's. How users sign in is left out. */
export async function fillTables(
  { owner, database }: { owner: Sql; database: Database },
  { acme, other, asha, meena, bela, chand, zoya }: Awaited<ReturnType<typeof people>>,
): Promise<void> {
  for (const actor of [acme, other]) {
    const { webhook } = await asActor(database, actor, async (tx) => {
      const webhook = await createWebhook(tx, actor, { name: 'Site', source_label: 'Site' })
      const person = actor === acme ? asha.id : zoya.id
      const rule = { name: 'Fair', sources: ['Fair'], cities: [], tags: [], webhook_ids: [] }
      const people = [
        { user_id: person, weight: 1 },
        { user_id: person, weight: 1 },
      ]
      await addRule(tx, actor, { ...rule, people }, null)
      return { webhook }
    })
    await asha.send('POST', `/webhook/${webhook.token}`, { name: 'Nobody’s', phone: '9850000000' })
    await asha.send('POST', `/webhook/${webhook.token}`, { is_test: true, phone: '9850000000' })
    await owner`insert into delivery_receipts (account_id, webhook_id, platform_id, reading_hash, received_at)
      values (${actor.account_id}, ${webhook.id}, 'one', '', now())`
  }
  for (const [index, player] of [asha, meena, bela, chand, zoya].entries()) {
    const lead = { name: `Lead of ${player.email}`, phone: `985000001${index}`, budget: '60 lakh' }
    const { body } = await player.send('POST', '/api/v1/leads', lead, { 'idempotency-key': 'one' })
    const call = { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 1 }
    assert.equal((await player.send('POST', '/api/v1/call-logs', call)).status, 201)
  }
  await owner`update call_logs set review = 'Good', review_remark = 'Clear', reviewed_by = called_by, reviewed_at = created_at`
  await owner`insert into lead_contacts (account_id, lead_id, assigned_to, kind, value, key, added_at)
    select account_id, id, assigned_to, 'phone', id, id, now() from leads`
  await owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    select account_id, id, id, id, now() from users`
  await owner`insert into pending_phone_lines (account_id, line, written, user_id, added_at)
    select account_id, id, id, id, now() from users`
  await owner`insert into own_numbers (account_id, number, lead_ids, seen_at)
    select id, '+911140990011', '{}', now() from accounts`
  await owner`insert into lead_sources (account_id, key, name) select id, 'expo', 'Expo' from accounts
    on conflict do nothing`
  await owner`insert into quick_replies (account_id, id, user_id, title, text, position)
    select account_id, id, id, 'Own', '', 1 from users union all select id, id, null, 'Of all', '', 1 from accounts`
  await owner`insert into goals (account_id, user_id, month, won_value) select account_id, id, '2026-11-01', 500000 from users`
  await owner`insert into origin_costs (account_id, kind, name, month, cost) select id, 'source', 'Fair', '2026-11-01', 100 from accounts`
  await owner`insert into lead_views (account_id, id, user_id, name, search)
    select account_id, id, id, 'Own', '{}'::jsonb from users union all select id, id, null, 'Shared', '{}'::jsonb from accounts`
  await owner`insert into phone_calls (account_id, id, webhook_id, lead_id, assigned_to, state, call_type, started_at, facts, changed_at)
    select leads.account_id, leads.id, webhooks.id, leads.id, assigned_to, 'ringing', 'Inbound', now(), '{}', now()
    from leads join webhooks on webhooks.account_id = leads.account_id`
  await owner`insert into pass_ons (account_id, lead_id, rule_id, user_id, since, had, due_at)
    select account_id, id, id, id, now(), '{}', now() from leads`
  await owner`insert into lead_offers (account_id, lead_id, rule_id, offered_to, offered_at, due_at)
    select account_id, id, id, array[assigned_to], now(), now() from leads`
  await owner`insert into lead_conflicts select account_id, id, id, now() from leads`
  await owner`insert into merged_leads (account_id, lead_id, kept_lead_id, merged_at) select account_id, id, id, now() from leads`
  await owner`insert into duplicate_searches select id, now(), id from accounts`
  await owner`insert into enquiry_readings select id, now(), id from accounts`
  await owner`insert into api_key_uses select account_id, id, now(), '127.0.0.1' from api_keys on conflict do nothing`
  await owner`insert into logged_requests (account_id, id, at, via, via_id, address, method, path, status, ms)
    select id, id, now(), 'api_key', id, '', 'GET', '/', 200, 1 from accounts`
  await owner`insert into password_links select account_id, id, sha256(id::text::bytea), 'reset', now(), now() from users`
  await owner`insert into forgotten_links select account_id, id, sha256(id::text::bytea), now(), now() from users`
  await owner`insert into lead_reassignments (account_id, id, from_user, state, total, summary, details, via, started_at)
    select account_id, id, id, 'done', 0, 'Reassigned', '{}', 'web', now() from users`
  await owner`insert into lead_imports (account_id, key, id, user_id, state, started_at, written_at)
    select account_id, id::text::bytea, id, id, 'done', now(), now() from users`
  await owner`insert into lead_import_leads select account_id, id, id, true from users`
  await owner`insert into lead_import_rejections select account_id, id, 2, '', now() from users`
  await owner`insert into bulk_changes (account_id, id, user_id, role, change, state, total, started_at)
    select account_id, id, id, role, '{}', 'done', 1, now() from users`
  await owner`insert into bulk_change_leads (account_id, bulk_change_id, position, user_id, lead_id)
    select account_id, id, 1, id, id from users`
  for (const tables of allCounts) {
    const { counts, changes, columns } = tables
    for (const actor of [acme, zoya.actor])
      await asActor(database, actor, (tx) => moveChanges(tx, actor.account_id, tables, 1000))
    await owner.unsafe(`insert into ${changes} (account_id, ${columns}, day, n) select account_id, ${columns}, day, 0 from ${counts}
      where ${columns.map((column) => `${column} is not null`).join(' and ')}`)
  }
  await owner`insert into notification_settings (account_id, user_id, created_at) select account_id, id, now() from users`
  await owner`insert into push_subscriptions select account_id, id, id, 'https://push.example.com', '', '', now() from users`
  await owner`insert into sent_notices select account_id, 'digest', id, '2026-11-01' from users`
  await owner`insert into webhook_storage (account_id, webhook_id, day, kind, slot, bytes, cut, dropped)
    select account_id, id, '2026-11-01', 'lead', 0, 1, 0, 0 from webhooks`
  // The service counts what webhooks stored a second later.
  await until(
    async () => (await owner`select from webhook_storage where bytes > 1`).length === 4,
    'both deliveries of both webhooks are counted',
  )
  for (const player of [asha, zoya]) {
    const lead = { name: 'By rule', phone: '9850000020', source: 'Fair' }
    assert.equal((await player.send('POST', '/api/v1/leads', lead)).status, 201)
  }
}
