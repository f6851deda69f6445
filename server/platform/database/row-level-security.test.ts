import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { fillTables } from '#test/filled-tables.ts'
import { people } from '#test/people.ts'
import { world } from '#test/records.ts'
import { newestLeads } from '../../crm/leads/newest-leads.ts'
import { listCalls } from '../../telephony/calls/list-calls.ts'
import { type Actor, actAs, actorIn, asActor } from './actor.ts'
import { openPool } from './connect.ts'
import type { Row, Sql, TransactionSql } from './sql.ts'

const app = await testApp()
const players = await people(app)
const { acme, other, asha, meena, bela, chand, zoya } = players
const { owner, database } = app
const pool = openPool(app.signIns.app, { max: 1 })
/** docs/scaling.md says what differs there. */
const isCluster = app.signIns.app.isCluster === true
after(async () => {
  await pool.end()
  await app.close()
})

before(() => fillTables(app, players))

const sees: Record<string, Actor> = {
  asha: asha.actor,
  meena: { ...meena.actor, sees: [meena.id, bela.id] },
  bela: bela.actor,
  chand: chand.actor,
  zoya: zoya.actor,
}

const tables = await owner<{ name: string }[]>`select table_name as name from information_schema.tables
  where table_schema = 'public' and table_name not in ('migrations', 'schema_texts')
    and not starts_with(table_name, 'citus_') order by 1`

/** What the service may never read at work, for any actor. */
const forbidden = [
  'active_users',
  'sessions',
  'sign_ins',
  'credentials',
  'verifications',
  'installation_secrets',
  'two_factors',
  'service_roles',
  'backup_runs',
  'continuous_backup',
  'erased_leads',
]
const ofLeads = [
  'leads',
  'lead_contacts',
  'call_logs',
  'phone_calls',
  'timeline_entries',
  'enquiries',
  'lead_counts',
  'lead_count_changes',
  'call_counts',
  'call_count_changes',
]
const ofAccount = ['accounts', 'users', 'lead_sources', 'lead_import_leads']
/** A user sees their own rows, and the account all. */
const ofUsers = [
  'phone_lines',
  'pending_phone_lines',
  'idempotency_keys',
  'notices',
  'notification_settings',
  'push_subscriptions',
  'bulk_changes',
  'bulk_change_leads',
  'lead_imports',
]
/** A user sees those of the users whose leads they see. */
const ofTeam = ['goals']
/** They see those of the account, too. */
const ofUsersAndAccount = ['quick_replies']
/** They see those of the account. Admins do not see those of other users. */
const ofUsersAlone = ['lead_views']
const ofAdmins = [
  'api_keys',
  'webhooks',
  'deliveries',
  'delivery_contacts',
  'delivery_counts',
  'delivery_count_changes',
  'delivery_receipts',
  'distribution_rules',
  'distribution_turns',
  'pass_ons',
  'lead_offers',
  'lead_reassignments',
  'lead_import_rejections',
  'origin_costs',
  'lead_conflicts',
  'merged_leads',
  'duplicate_searches',
  'enquiry_readings',
  'webhook_storage',
  'own_numbers',
  'audit_log',
  'logged_requests',
  'api_key_uses',
  'password_links',
  'forgotten_links',
  'sent_notices',
  ...ofUsers,
]

const everything = (sql: Sql | TransactionSql, table: string) => sql`select * from ${sql(table)}`

test('these tests cover every table', () => {
  const named = [
    ...forbidden,
    ...ofLeads,
    ...ofAccount,
    ...ofTeam,
    ...ofUsersAndAccount,
    ...ofUsersAlone,
    ...ofAdmins,
  ].sort()
  assert.deepEqual(tables.map(({ name }) => name).sort(), named)
})

for (const { name } of tables) {
  test(`without an actor nothing of ${name} is seen, changed or removed`, async () => {
    const unchanged = await world(owner)
    if (forbidden.includes(name)) {
      await assert.rejects(everything(pool, name), { code: '42501' })
      return
    }
    assert.equal((await everything(pool, name)).length, 0)
    if (name === 'active_users') return
    const [column] = await owner`select column_name as name from information_schema.columns
      where table_name = ${name} and column_name in ('name', 'city', 'notes', 'summary', 'n', 'action', 'response', 'credits', 'address', 'platform_id', 'kind', 'contact', 'written', 'title', 'state', 'created_at', 'found_at', 'message', 'since', 'offered_at', 'merged_at', 'searched_until', 'received_at', 'cost', 'won_value', 'number', 'created', 'content') order by data_type`
    for (const change of [`update ${name} set ${column!.name} = null`, `delete from ${name}`]) {
      const { count } = await pool.unsafe(change).catch((error) => {
        assert.equal(error.code, '42501')
        return { count: 0 }
      })
      assert.equal(count, 0, change)
    }
    assert.deepEqual(await world(owner), unchanged)
  })
}

for (const [name, actor] of Object.entries(sees)) {
  test(`with the WHERE left out, ${name} sees what ${name} may see and no more`, async () => {
    const all = actor.sees === 'all'
    const mayBe = all ? null : [...(actor.sees as string[])]
    await asActor(database, actor, async (tx) => {
      for (const { name: table } of tables.filter(({ name }) => !forbidden.includes(name))) {
        const rows = await everything(tx, table)
        for (const row of rows) assert.equal(table === 'accounts' ? row.id : row.account_id, actor.account_id, table)
        const [owned] = await owner`select count(*)::int as n from ${owner(table)}
          where ${owner(table === 'accounts' ? 'id' : 'account_id')} = ${actor.account_id}
          ${ofLeads.includes(table) && mayBe ? owner`and assigned_to = any (${mayBe})` : owner``}
          ${ofUsers.includes(table) && mayBe ? owner`and user_id = ${actor.user_id}` : owner``}
          ${ofTeam.includes(table) && mayBe ? owner`and user_id = any (${mayBe})` : owner``}
          ${ofUsersAndAccount.includes(table) && mayBe ? owner`and (user_id is null or user_id = ${actor.user_id})` : owner``}
          ${ofUsersAlone.includes(table) ? owner`and (user_id is null or user_id = ${actor.user_id})` : owner``}`
        const isSeen = all || !ofAdmins.includes(table) || ofUsers.includes(table)
        const expected = isSeen ? owned!.n : 0
        assert.equal(rows.length, expected, table)
        assert.ok(expected > 0 || (!all && ofAdmins.includes(table)), `${table} proves nothing`)
      }
    })
  })

  test(`with the WHERE left out, ${name} changes and removes nothing that ${name} may not see`, async () => {
    for (const table of ofLeads) {
      const rowsOf = (sql: Sql | TransactionSql) => sql`select md5(t::text) as row from ${sql(table)} t order by 1`
      const before = await rowsOf(owner)
      await asActor(database, actor, async (tx) => {
        const mine = (await rowsOf(tx)).map(({ row }) => row)
        const removed = await tx`delete from ${tx(table)}`
        assert.equal(removed.count, mine.length)
        throw new Error('as you were')
      }).catch((error) => assert.equal(error.message, 'as you were'))
      assert.deepEqual([...(await rowsOf(owner))], [...before])
    }
  })
}

test('users change their own quick replies, and none of the account or of another user', async () => {
  const unchanged = await world(owner)
  const change = (work: (tx: TransactionSql) => Promise<{ count: number }>) =>
    asActor(database, sees.bela!, async (tx) => {
      assert.equal((await work(tx)).count, 1)
      throw new Error('as you were')
    }).catch((error) => assert.equal(error.message, 'as you were'))
  await change((tx) => tx`update quick_replies set title = 'Mine'`)
  await change((tx) => tx`delete from quick_replies`)
  for (const user of [null, chand.id]) {
    const added = asActor(
      database,
      sees.bela!,
      (tx) => tx`insert into quick_replies (account_id, id, user_id, title, text, position)
        values (${acme.account_id}, ${crypto.randomUUID()}, ${user}, 'X', '', 1)`,
    )
    await assert.rejects(added, { code: '42501' })
    const given = asActor(database, sees.bela!, (tx) => tx`update quick_replies set user_id = ${user}`)
    await assert.rejects(given, { code: '42501' })
  }
  assert.deepEqual(await world(owner), unchanged)
})

const aLead = (account: string, assignee: string | null) => ({
  account_id: account,
  id: crypto.randomUUID(),
  name: 'X',
  phone: '1',
  phone_key: crypto.randomUUID(),
  source: 'API',
  status: 'New',
  priority: 'Low',
  assigned_to: assignee,
  created_at: new Date(),
  updated_at: new Date(),
})

test('nobody writes a lead into another account, or out of their own sight', async () => {
  const unchanged = await world(owner)
  for (const [actor, account, assignee] of [
    [sees.asha!, other.account_id, zoya.id],
    [sees.bela!, acme.account_id, asha.id],
    [sees.bela!, acme.account_id, null],
    [sees.meena!, acme.account_id, chand.id],
    [sees.zoya!, acme.account_id, asha.id],
  ] as const) {
    await assert.rejects(
      asActor(database, actor, (tx) => tx`insert into leads ${tx(aLead(account, assignee))}`),
      { code: '42501' },
    )
    await assert.rejects(
      asActor(database, actor, (tx) => tx`update leads set account_id = ${account}, assigned_to = ${assignee}`),
      // Citus lets no row change its account.
      { code: isCluster ? '0A000' : '42501' },
    )
    if (account !== actor.account_id) continue
    await assert.rejects(
      asActor(database, actor, (tx) => tx`update leads set assigned_to = ${assignee}`),
      { code: '42501' },
    )
  }
  assert.deepEqual(await world(owner), unchanged)
})

/** Functions that run as the owner of the tables: what an actor may not ask of them, as arguments. */
const beyond: Record<string, (account: string, people: string[] | null) => unknown[]> = {
  counted_days: (account, people) => [account, people, '2020-01-01', '2030-01-01', null, null, null],
  newest_leads: (account) => [account, new Date(0), new Date('2030-01-01'), null, null, null, 10, 0, 0],
  newest_leads_of: (account, people) => [
    account,
    people,
    new Date(0),
    new Date('2030-01-01'),
    null,
    null,
    null,
    10,
    10,
    0,
  ],
}

test('functions that run as the owner of the tables serve the actor alone', async () => {
  const names = await owner<{ name: string }[]>`select proname as name from pg_proc
    where prosecdef and pronamespace = 'public'::regnamespace order by 1`
  assert.deepEqual(
    names.map(({ name }) => name),
    isCluster ? [] : [...Object.keys(beyond), 'leads_of_person', 'leads_with_tag', 'leads_with_words'].sort(),
  )
  const call = (actor: Actor, name: string, given: unknown[]) => {
    const places = given.map((_, place) => `$${place + 1}`).join(', ')
    return asActor(database, actor, (tx) => tx.unsafe(`select * from ${name}(${places})`, given as never[]))
  }
  const unchanged = await world(owner)
  for (const [name, argumentsOf] of Object.entries(beyond)) {
    for (const [actor, account, people] of [
      [sees.zoya!, acme.account_id, [asha.id]],
      [sees.bela!, other.account_id, [bela.id]],
      [sees.bela!, acme.account_id, [bela.id, chand.id]],
      [sees.bela!, acme.account_id, null],
    ] as const) {
      await assert.rejects(call(actor, name, argumentsOf(account, people && [...people])), { code: '42501' }, name)
    }
  }
  for (const name of ['leads_with_tag', 'leads_with_words'])
    assert.deepEqual([...(await call(sees.zoya!, name, [acme.account_id, 'vip', 10]))], [])
  assert.deepEqual([...(await call(sees.zoya!, 'leads_of_person', [acme.account_id, ['9850000020']]))], [])
  assert.deepEqual(await world(owner), unchanged)
  assert.ok((await call(sees.bela!, 'newest_leads_of', beyond.newest_leads_of!(acme.account_id, [bela.id]))).length > 0)
})

test('only an actor who sees everything changes users, accounts, keys, webhooks or rules, and no actor those of another account', async () => {
  const rows = () => owner`select md5(u::text) from users u union all select md5(a::text) from accounts a order by 1`
  const before = [...(await rows())]
  for (const actor of [sees.meena!, sees.bela!]) {
    for (const change of [
      "update users set role = 'Admin'",
      "update accounts set name = 'Mine'",
      'update api_keys set can_delete = true',
      'update webhooks set enabled = false',
      'delete from distribution_rules',
      'update deliveries set body = null',
    ]) {
      const { count } = await asActor(database, actor, (tx) => tx.unsafe(change))
      assert.equal(count, 0, change)
    }
    const person = { id: crypto.randomUUID(), account_id: acme.account_id, email: 'me@x.in', name: 'Me', role: 'Admin' }
    await assert.rejects(
      asActor(database, actor, (tx) => tx`insert into users ${tx(person)}`),
      { code: '42501' },
    )
  }
  for (const actor of Object.values(sees)) {
    for (const gone of [
      'delete from users',
      'delete from accounts',
      'delete from audit_log',
      'update audit_log set at = at',
    ])
      await assert.rejects(
        asActor(database, actor, (tx) => tx.unsafe(gone)),
        { code: '42501' },
        gone,
      )
  }
  const { count } = await asActor(
    database,
    sees.zoya!,
    (tx) => tx`update users set name = 'Taken' where id = ${asha.id}`,
  )
  assert.equal(count, 0)
  assert.deepEqual([...(await rows())], before)
})

test('who finds out who is asking cannot touch a lead or anything of it', async () => {
  for (const table of [
    ...ofLeads,
    'deliveries',
    'audit_log',
    'logged_requests',
    'idempotency_keys',
    'distribution_rules',
    'distribution_turns',
  ]) {
    await assert.rejects(everything(app.directory, table), { code: '42501' }, table)
    await assert.rejects(app.directory`delete from ${app.directory(table)}`, { code: '42501' }, table)
  }
  for (const table of ['api_keys', 'webhooks']) {
    await assert.rejects(app.directory`delete from ${app.directory(table)}`, { code: '42501' }, table)
  }
})

test('a pooled connection does not carry its actor to the next statement or transaction', async () => {
  const nothing = async () => assert.equal((await everything(pool, 'leads')).length, 0)
  await pool.begin(async (tx) => {
    await actAs(tx, acme)
    assert.ok((await everything(tx, 'leads')).length > 0)
  })
  await nothing()
  await pool`select act_as(${acme.account_id}, null, 'all')`
  await nothing()
  await pool`with ${actorIn(pool, acme)} select * from actor`
  await nothing()
  await pool.begin((tx) => everything(tx, 'leads')).then((rows) => assert.equal(rows.length, 0))
  const failing = pool.begin(async (tx) => {
    await actAs(tx, acme)
    await tx`select 1 / 0`
  })
  await assert.rejects(failing, { code: '22012' })
  await nothing()
})

test('the list of visible assignees is read as a list, whatever it contains', async () => {
  for (const [list, seen] of [
    [[], 0],
    [[bela.id], 1],
    [[bela.id, zoya.id, chand.id], 2],
  ] as const) {
    const rows = await asActor(database, { ...bela.actor, sees: list }, (tx) => everything(tx, 'leads'))
    assert.equal(rows.length, seen)
  }
  for (const list of [['all'], [bela.id.slice(1)]]) {
    const rows = asActor(database, { ...bela.actor, sees: list }, (tx) => everything(tx, 'leads'))
    // There, policies look for ids of full length in the text.
    if (isCluster) assert.equal((await rows).length, 0)
    else await assert.rejects(rows, { code: '22P02' })
  }
})

/** Plans that could read rows before the actor of the same statement is set, or otherwise than usual. */
const plans = [
  ['enable_nestloop'],
  ['enable_hashjoin', 'enable_mergejoin'],
  ['enable_nestloop', 'enable_hashjoin'],
  ['enable_nestloop', 'enable_mergejoin'],
  ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'],
  ['enable_seqscan'],
  ['enable_material', 'enable_memoize', 'enable_sort'],
]

const window = { first_day: '2020-01-01', last_day: '2030-01-01', from: new Date(0), until: new Date('2030-01-02') }
const page = { window, limit: 50, offset: 0 }

/** The ids that a list answers, which are as many as it says. */
async function idsOf(list: Promise<{ total: number; rows: string | Buffer }>) {
  const { rows, total } = await list
  const ids = JSON.parse(String(rows)).map(({ id }: { id: string }) => id)
  assert.equal(ids.length, total)
  return ids.toSorted()
}

const noGenericPlan =
  'Citus needs the parameters of a statement to plan it, so the service turns generic plans off there'

for (const off of [[], ...plans]) {
  for (const mode of ['force_generic_plan', 'force_custom_plan']) {
    const name = `a list sets its own actor first, with ${off.join(', ') || 'nothing'} turned off, ${mode}`
    test(name, { skip: isCluster && mode === 'force_generic_plan' && noGenericPlan }, async () => {
      const sql = openPool(app.signIns.app, { max: 1 })
      const settings = { ...Object.fromEntries(off.map((one) => [one, 'off'])), plan_cache_mode: mode }
      for (const [name, value] of Object.entries(settings)) await sql`select set_config(${name}, ${value}, false)`
      for (const actor of [...Object.values(sees), ...Object.values(sees)]) {
        const mine = owner`account_id = ${actor.account_id}
          ${actor.sees === 'all' ? owner`` : owner`and assigned_to = any (${[...actor.sees]})`}`
        const ids = async (rows: PromiseLike<readonly Row[]>) => [...(await rows)].map(({ id }) => id).sort()
        const leads = await ids(owner`select id from leads where ${mine}`)
        const ofBela = await ids(owner`select id from leads where ${mine} and assigned_to = ${bela.id}`)
        const calls = await ids(owner`select id from call_logs where ${mine}`)
        assert.deepEqual(await idsOf(newestLeads(sql, actor, page)), leads)
        assert.deepEqual(await idsOf(newestLeads(sql, actor, { ...page, status: ['New'] })), leads)
        assert.deepEqual(await idsOf(newestLeads(sql, actor, { ...page, owner: bela })), ofBela)
        assert.deepEqual(await idsOf(listCalls(sql, actor, page)), calls)
        assert.deepEqual(await idsOf(listCalls(sql, actor, { ...page, call_type: 'Inbound' })), calls)
        const [call] = await owner`select id, lead_id from call_logs where assigned_to = ${bela.id}`
        const ofLead = await idsOf(listCalls(sql, actor, { ...page, lead_id: call!.lead_id }))
        assert.deepEqual(ofLead, calls.includes(call!.id) ? [call!.id] : [])
        const { rows } = await newestLeads(sql, actor, page)
        const owners = new Set(JSON.parse(String(rows)).map(({ assigned_to }: { assigned_to: string }) => assigned_to))
        assert.equal(owners.has(bela.email), ofBela.length > 0)
      }
      // The actor of the statement decides, not what its own conditions let through.
      const bare = await sql`with ${actorIn(sql, bela.actor)}
        select seen.* from actor, lateral (
          select name from leads where actor.account_id is not null
            ${isCluster ? sql`and account_id = ${acme.account_id}` : sql``} offset 0
        ) seen`
      assert.deepEqual([...bare], [{ name: `Lead of ${bela.email}` }])
      await sql.end()
    })
  }
}
