import { randomUUID } from 'node:crypto'
import { fillAccount } from '../operations/demo/fill.ts'
import { addRule } from '../server/crm/distribution/store.ts'
import type { Actor } from '../server/platform/database/actor.ts'
import { asActor } from '../server/platform/database/actor.ts'
import type { Connection, Database } from '../server/platform/database/connect.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import { addPlayer, type people } from '../test/people.ts'
import { countAllRows } from '../test/records.ts'
import { webhookOf } from '../test/webhooks.ts'

export const size = { leads: 300_000, deliveries: 300_000, webhooks: 6, audit: 320_000 }

interface Place {
  connection: Connection
  owner: Sql
  database: Database
  url: string
}

/** An account in long use: 50 users in two teams, months of leads and calls, a month of deliveries. */
export async function fillLargeAccount(place: Place, cast: Awaited<ReturnType<typeof people>>) {
  const { owner, database, url } = place
  const { acme, bela, chand } = cast
  for (let n = 1; n <= 46; n++) await addPlayer(database, url, acme, `Agent${n}`, 'Agent', n % 2 ? 'north' : 'south')
  database.cache.invalidate(acme.account_id)
  await fillAccount(place.connection, database, acme, { leads: size.leads, days: 90, now: new Date() })

  const webhooks: string[] = []
  for (let count = 0; count < size.webhooks; count++) {
    webhooks.push((await webhookOf(place, acme, { default_assignee: bela.id })).id)
  }
  await addRules(database, acme, webhooks, [bela.id, chand.id])
  await fillDeliveries(owner, acme, webhooks, size.deliveries)
  await fillAudit(owner, acme, webhooks, size.audit)
  await owner`update timeline_entries set details = details || ${owner.json({ rule_id: randomUUID() })}
    where kind = 'created' and id % 50 = 0`
  // Every tenth lead is to be called again, within two weeks before or after now.
  await owner`update leads set call_again_at = now() + (random() - 0.5) * interval '28 days' where random() < 0.1`
  await owner`vacuum analyze`
  return { webhooks }
}

async function addRules(database: Database, acme: Actor, webhook_ids: string[], people: string[]) {
  const shared = people.map((user_id) => ({ user_id, weight: 1 }))
  for (let rule = 0; rule < 20; rule++) {
    const cities = Array.from({ length: 30 }, (_, city) => `City ${rule} ${city}`)
    const given = { name: `Rule ${rule}`, sources: [], cities, tags: [], webhook_ids, people: shared }
    await asActor(database, acme, (tx) => addRule(tx, acme, given, null))
  }
}

/** Deliveries of the last 30 days, most of them of the first webhooks. Every tenth is rejected, except by the first webhook. */
export async function fillDeliveries(owner: Sql, { account_id }: Actor, webhooks: string[], count: number) {
  const pick = {
    field: 'name',
    path: 'buyer.name',
    value: 'Asha Rao',
    reason: 'Field name matches a person’s name',
    by: 'recognised',
  }
  const payload = { buyer: { name: 'Asha Rao', mobile: '98200 11223' }, message: '3 BHK, call after five', ref: 'H-1' }
  const known = await owner`select id from leads where account_id = ${account_id} limit 1000`
  await owner`
    insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks,
      warnings, error)
    select ${account_id}, gen_random_uuid(), (${webhooks}::uuid[])[place],
      now() - random() * interval '30 days', '203.0.113.7', 'application/json', ${Buffer.from(JSON.stringify(payload))},
      case when rejected then 'rejected' when n % 3 = 0 then 'merged' else 'created' end,
      case when not rejected then (${known.map(({ id }) => id)}::uuid[])[1 + n % ${known.length}::int] end,
      ${owner.json([pick])}, '[]', case when rejected then 'No email and no phone was found in this payload.' end
    from (
      select n, place, place > 1 and n % 10 = 0 as rejected from (
        select n, 1 + floor(power(random(), 2) * ${webhooks.length})::int as place
        from generate_series(1, ${count}::int) n
      ) placed
    ) deliveries`
  await countAllRows(owner)
}

/** Audit entries: mostly incoming leads and calls, and one in sixteen by a user. */
export async function fillAudit(owner: Sql, { account_id }: Actor, webhooks: string[], count: number) {
  const users = (await owner`select id from users where account_id = ${account_id} order by name`).map(({ id }) => id)
  const byHand = ['webhook.mapped', 'user.changed', 'api_key.created', 'leads.exported', 'lead.changed', 'lead.deleted']
  await owner`
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id, details)
    select ${account_id}, date_trunc('second', now() - (${count}::int - n) * interval '30 seconds'),
      case when n % 16 = 0 or n % 3 = 0 then (${users}::uuid[])[1 + n % ${users.length}::int] end,
      case when n % 16 = 0 then 'web' when n % 3 = 0 then 'api_key' else 'webhook' end,
      case when n % 16 <> 0 then ${webhooks[0]!}::uuid end,
      case when n % 16 = 0 then (${byHand}::text[])[1 + n / 16 % ${byHand.length}::int]
        when n % 4 = 0 then 'call_log.created' when n % 5 = 0 then 'lead.merged' else 'lead.created' end,
      gen_random_uuid(), '{}'
    from generate_series(1, ${count}::int) n`
}
