import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { account, addPlayer, type Player, people, signedIn } from '#test/people.ts'
import { readSheets } from '#test/read-sheets.ts'
import { assertLeadsKnowTheirCalls, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { leadStatuses } from '../../crm/leads/contract.ts'
import type { PeriodUnit } from '../../platform/periods/contract.ts'
import { callOutcomes } from '../../telephony/calls/contract.ts'
import { type OriginGroup, type OriginReport, openStatuses, originGroups, type UserReport } from './contract.ts'
import { comparedPeriods, costWithin } from './period.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const cast = await people(app)
const { acme, asha, meena, bela, chand, zoya } = cast
const { owner } = app
const players = { asha, meena, bela, chand }
const names = Object.keys(players) as (keyof typeof players)[]
const browsers = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await signedIn(app, players[name])] as const)),
) as Record<keyof typeof players, Pick<Player, 'send'>>
const sources = ['Fair', '99acres', 'मेला']
const campaigns = ['Diwali offer', 'दिवाली ऑफ़र', null]

const report = async <T>(who: Pick<Player, 'send'>, path: string): Promise<T> => {
  const { status, body } = await who.send('GET', `/web/reports/${path}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** What users do in two months, in any order. */
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('create' as const),
      status: fc.constantFrom(...leadStatuses),
      source: fc.constantFrom(...sources),
      campaign: fc.constantFrom(...campaigns),
      of: fc.constantFrom(...names, null),
      value: fc.option(fc.integer({ min: 0, max: 99_999_999 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('call' as const),
      lead: fc.nat(50),
      by: fc.constantFrom(...names),
      outbound: fc.boolean(),
      seconds: fc.constantFrom(0, 1, 75),
      outcome: fc.constantFrom(...callOutcomes),
      minutesAgo: fc.integer({ min: 0, max: 3000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete call' as const), call: fc.nat(50) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      lead: fc.nat(50),
      change: fc.oneof(
        fc.record({ status: fc.constantFrom(...leadStatuses) }),
        fc.record({ deal_value: fc.option(fc.integer({ min: 0, max: 999_999 })) }),
        fc.record({ assigned_to: fc.constantFrom(...names.map((name) => players[name].email), null) }),
        fc.record({ again: fc.integer({ min: -3000, max: 3000 }) }),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9000 }) }),
  },
)

/** What happened to leads and calls, as it was seen after each step: who owned a lead first, and when it was closed or called. */
const statuses = new Map<string, string>()
const firstOwners = new Map<string, string>()
const closings = new Map<string, { at: Date; owner: string | null; from: string | null }>()
const callOwners = new Map<string, string | null>()
async function observe() {
  for (const lead of await owner`select id, status, assigned_to from leads where account_id = ${acme.account_id}`) {
    if (lead.assigned_to && !firstOwners.has(lead.id)) firstOwners.set(lead.id, lead.assigned_to)
    const before = statuses.get(lead.id)
    if (before === lead.status) continue
    statuses.set(lead.id, lead.status)
    const isOpen = lead.status !== 'Won' && lead.status !== 'Lost'
    const wasOpen = before !== 'Won' && before !== 'Lost'
    const from = wasOpen ? (before ?? null) : (closings.get(lead.id)?.from ?? null)
    if (isOpen) closings.delete(lead.id)
    else closings.set(lead.id, { at: now, owner: lead.assigned_to, from })
  }
  for (const call of await owner`select id, assigned_to from call_logs where account_id = ${acme.account_id}`)
    if (!callOwners.has(call.id)) callOwners.set(call.id, call.assigned_to)
}

const closedIn = (from: Date, until: Date) =>
  [...closings].filter(([, { at }]) => at >= from && at < until).map(([id]) => id)
const closingOwners = () => new Map([...closings].map(([id, { owner }]) => [id, owner]))

let made = 0
async function perform(step: typeof act extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const ids = async (table: string) =>
    (await owner.unsafe(`select id from ${table} where account_id = $1 order by id`, [acme.account_id])).map(
      ({ id }) => id as string,
    )
  const one = async (table: string, n: number) => {
    const all = await ids(table)
    return all[n % Math.max(all.length, 1)]
  }
  if (step.does === 'wait') now = new Date(now.getTime() + step.minutes * 60_000)
  if (step.does === 'create') {
    const { status, source, campaign, of, value } = step
    const lead = { name: 'Lead', phone: `98200${String(++made).padStart(5, '0')}`, status, source }
    const given = { ...lead, ...(value === null ? {} : { deal_value: value / 100 }) }
    const assigned_to = of && players[of].email
    const created = await browsers.asha.send('POST', '/web/leads', { ...given, assigned_to })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    await owner`update leads set campaign = ${campaign}, ad = ${campaign && source}, form = ${source}, product = ${campaign}
      where id = ${created.body.data.id}`
  }
  if (step.does === 'call') {
    const lead_id = await one('leads', step.lead)
    if (!lead_id) return
    const call = { call_type: step.outbound ? 'Outbound' : 'Inbound', duration_seconds: step.seconds }
    const called_at = new Date(now.getTime() - step.minutesAgo * 60_000).toISOString()
    await players[step.by].send('POST', '/api/v1/call-logs', { lead_id, ...call, outcome: step.outcome, called_at })
  }
  if (step.does === 'delete call') {
    const id = await one('call_logs', step.call)
    if (id) await browsers.asha.send('DELETE', `/web/calls/${id}`)
  }
  if (step.does === 'change') {
    const id = await one('leads', step.lead)
    if (!id) return
    const { again, ...change } = step.change as { again?: number }
    const call_again_at = again === undefined ? undefined : new Date(now.getTime() + again * 60_000).toISOString()
    const answer = await browsers.asha.send(
      'PATCH',
      `/web/leads/${id}`,
      again === undefined ? change : { call_again_at },
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
}

/** Who owned a lead or call of the table, as it was seen, and its owner now if the reader does not see that user. */
function ownerIn(past: Map<string, string | null>, table: 'leads' | 'calls', seen: string[] | null) {
  const rows = owner`unnest(${[...past.keys()]}::uuid[], ${[...past.values()]}::uuid[]) as past (id, owner)`
  const then = owner`(select past.owner from ${rows} where past.id = ${owner(table)}.id)`
  return seen
    ? owner`case when ${then} = any (${seen}::uuid[]) then ${then} else ${owner(table)}.assigned_to end`
    : then
}

/** The figures of a user's row, each by a plain query: of leads that `seen` own. */
async function countedFor(
  key: string,
  { from, until, seen, source }: { from: Date; until: Date; seen: string[] | null; source: string | undefined },
) {
  const user = Object.values(players).find(({ email }) => email === key)?.id ?? null
  const visible = seen ? owner`and assigned_to = any (${seen}::uuid[])` : owner``
  const ofSource = source ? owner`and source = ${source}` : owner``
  const owned = key === 'unknown' ? owner`false` : owner`assigned_to is not distinct from ${user}`
  const called = key === 'nobody' ? owner`false` : owner`called_by is not distinct from ${user}`
  const seenLeads = owner`leads where account_id = ${acme.account_id} ${visible} ${ofSource}`
  const leads = owner`${seenLeads} and ${owned}`
  const isCreated = owner`created_at >= ${from} and created_at < ${until}`
  const isOf = (owned: ReturnType<typeof ownerIn>) =>
    key === 'unknown' ? owner`false` : owner`${owned} is not distinct from ${user}`
  const ofKey = isOf(ownerIn(firstOwners, 'leads', seen))
  const created = owner`${seenLeads} and ${isCreated} and ${ofKey}`
  const calls = owner`(select calls.* from call_logs calls join leads on leads.id = lead_id
    where calls.account_id = ${acme.account_id} and called_at >= ${from} and called_at < ${until} ${
      seen ? owner`and calls.assigned_to = any (${seen}::uuid[])` : owner``
    } ${ofSource}) calls`
  const later = owner`call_logs later where later.lead_id = calls.lead_id and later.called_at > calls.called_at`
  const isMissed = owner`call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed')`
  const missed = owner`${calls} where ${isOf(ownerIn(callOwners, 'calls', seen))} and ${isMissed}`
  const closed = owner`${seenLeads} and id = any (${closedIn(from, until)}::uuid[]) and ${isOf(ownerIn(closingOwners(), 'leads', seen))}`
  const first = owner`(select extract(epoch from (select min(called_at) from call_logs
    where lead_id = leads.id and called_at >= leads.created_at) - created_at)::float8 as wait from ${created}) waits`
  const [row] = await owner`select (select count(*) from ${created})::int as leads,
    (select count(*) from ${leads} and ${isCreated} and status = 'New' and not exists (select from call_logs where lead_id = leads.id))::int
      as uncalled,
    (select round(percentile_cont(0.5) within group (order by wait)) from ${first} where wait is not null)::int as first_call_median,
    (select round(percentile_cont(0.9) within group (order by wait)) from ${first} where wait is not null)::int as first_call_p90,
    (select count(*) from ${calls} where ${called} and call_type = 'Outbound')::int as calls,
    (select count(*) from ${calls} where ${called} and outcome = 'Completed' and duration_seconds > 0)::int as connected,
    (select coalesce(sum(duration_seconds), 0) from ${calls} where ${called} and outcome = 'Completed')::int as talk_seconds,
    (select count(*) from ${missed})::int as missed,
    (select count(*) from ${calls} where ${owned} and ${isMissed}
      and not exists (select from ${later} and outcome = 'Completed' and duration_seconds > 0)
      and (select count(*) from ${later} and call_type = 'Outbound') < 3)::int as unreturned,
    (select count(*) from ${created} and status = 'Won')::int as converted,
    (select count(*) from ${closed} and status = 'Won')::int as won,
    (select coalesce(sum(deal_value), 0) from ${closed} and status = 'Won')::float8 as won_value,
    (select count(*) from ${closed} and status = 'Lost')::int as lost,
    (select count(*) from ${leads} and call_again_at <= ${now})::int as overdue,
    (select count(*) from ${leads} and status in ('Qualified', 'Proposal') and call_again_at is null
      and coalesce(last_call_at, created_at) <= ${new Date(now.getTime() - 7 * 86_400_000)})::int as going_cold`
  return { ...row! }
}

const pick = ({
  leads,
  uncalled,
  contacted,
  qualified,
  converted,
  won,
  won_value,
  lost,
}: OriginReport['total']['before']) => [leads, uncalled, contacted, qualified, converted, won, won_value, lost] as const

/** Figures of leads by a plain query, by what names them. */
async function countedByOrigin(
  group: OriginGroup,
  { from, until, seen, source }: { from: Date; until: Date; seen: string[] | null; source: string | undefined },
) {
  const isCreated = owner`created_at >= ${from} and created_at < ${until}`
  const closed = owner`id = any (${closedIn(from, until)}::uuid[])`
  const rows = await owner`
    select ${owner(group)} as name, count(*) filter (where ${isCreated})::int as leads,
      count(*) filter (where ${isCreated} and status = 'New' and not exists (select from call_logs where lead_id = leads.id))::int as uncalled,
      count(*) filter (where ${isCreated} and status not in ('New', 'Lost'))::int as contacted,
      count(*) filter (where ${isCreated} and status not in ('New', 'Contacted', 'Lost'))::int as qualified,
      count(*) filter (where ${isCreated} and status = 'Won')::int as converted,
      count(*) filter (where ${closed} and status = 'Won')::int as won,
      coalesce(sum(deal_value) filter (where ${closed} and status = 'Won'), 0)::float8 as won_value,
      count(*) filter (where ${closed} and status = 'Lost')::int as lost
    from leads where account_id = ${acme.account_id} and (${isCreated} or ${closed})
      ${seen ? owner`and assigned_to = any (${seen}::uuid[])` : owner``} ${source ? owner`and source = ${source}` : owner``}
    group by 1`
  const counted = rows.map(({ name, ...figures }) => [name as string | null, pick(figures as never)] as const)
  return new Map(counted.filter(([, figures]) => figures.some((figure) => figure > 0)))
}

async function assertReportsHold() {
  for (const [name, seen] of [
    ['asha', null],
    ['meena', [meena.id, bela.id]],
    ['bela', [bela.id]],
  ] as const)
    for (const query of [
      '',
      '?source=Fair',
      `?from_date=${day(-6)}`,
      `?from_date=${day(-20)}&to_date=${day(-3)}`,
      `?from_date=${day(0).slice(0, 7)}-01&to_date=${day(0)}&compare=month`,
    ]) {
      const data = await report<UserReport>(browsers[name], `users${query}`)
      const source = query.includes('source') ? 'Fair' : undefined
      const compare = query.includes('compare') ? ('month' as const) : undefined
      const periods = comparedPeriods({ ...data, ...(compare && { compare }) }, now)
      const keys = name === 'asha' ? [...names.map((of) => players[of].email), 'nobody', 'unknown'] : seen!.map(emailOf)
      for (const key of keys) {
        const of = (period: { from: Date; until: Date }) =>
          countedFor(key, { ...period, seen: seen && [...seen], source })
        const { overdue, going_cold, ...before } = await of(periods.before)
        const counted = { figures: await of(periods.now), before }
        const row = data.rows.find((row) => row.key === key)
        if (row) assert.deepEqual({ figures: row.figures, before: row.before }, counted, `${name} ${query} ${key}`)
        else assert.ok(isEmpty(counted.figures) && isEmpty(counted.before), `${name} ${query} has no row of ${key}`)
      }
      const sum = (field: 'leads' | 'calls' | 'missed' | 'overdue') =>
        data.rows.reduce((sum, { figures }) => sum + figures[field], 0)
      for (const field of ['leads', 'calls', 'missed', 'overdue'] as const)
        assert.equal(data.total.figures[field], sum(field))
      assert.ok(data.rows.every(({ key }) => keys.includes(key)))
      if (!seen && !source) await assertProgressHolds(data, periods.now)
      for (const group of originGroups) {
        const byOrigin = await report<OriginReport>(
          browsers[name],
          `origins?group_by=${group}${query.replace('?', '&')}`,
        )
        for (const which of ['figures', 'before'] as const) {
          const rows = byOrigin.rows.filter((row) => pick(row[which]).some((figure) => figure > 0))
          const { from, until } = which === 'figures' ? periods.now : periods.before
          const counted = await countedByOrigin(group, { from, until, seen: seen && [...seen], source })
          assert.deepEqual(
            new Map(rows.map((row) => [row.name, pick(row[which])])),
            counted,
            `${name} ${query} by ${group}`,
          )
          const { leads, uncalled, won, won_value } = data.total[which]
          const total = byOrigin.total[which]
          assert.deepEqual([total.leads, total.uncalled, total.won, total.won_value], [leads, uncalled, won, won_value])
        }
      }
    }
}

/** How far new leads came, where they were lost, and what the open ones are worth. */
async function assertProgressHolds(
  { funnel, lost_reasons, forecast }: UserReport,
  { from, until }: { from: Date; until: Date },
) {
  const isIn = (at: Date) => at >= from && at < until
  const leads =
    await owner`select id, status, created_at, deal_value::float8 as value from leads where account_id = ${acme.account_id}`
  for (const { status, ...counted } of funnel) {
    const created = leads.filter(({ created_at }) => isIn(created_at))
    const lost = created.filter((lead) => lead.status === 'Lost' && closings.get(lead.id)!.from === status)
    assert.deepEqual(counted, { leads: created.filter((lead) => lead.status === status).length, lost: lost.length })
  }
  const lost = leads.filter(({ id, status }) => status === 'Lost' && isIn(closings.get(id)!.at))
  assert.equal(
    lost_reasons.reduce((sum, { n }) => sum + n, 0),
    lost.length,
  )
  const byStatus = lost_reasons.flatMap(({ by_status }) => by_status)
  for (const status of [...openStatuses, null]) {
    const n = byStatus.filter((row) => row.status === status).reduce((sum, { n }) => sum + n, 0)
    assert.equal(n, lost.filter(({ id }) => closings.get(id)!.from === status).length)
  }
  for (const { status, leads: n, value, probability, weighted } of forecast.by_status) {
    const open = leads.filter((lead) => lead.status === status && lead.value !== null)
    const sum = open.reduce((sum, { value }) => sum + Math.round(value * 100), 0) / 100
    assert.deepEqual([n, value], [open.length, sum])
    assert.ok(Math.abs(weighted - (sum * probability) / 100) < 0.01)
  }
}

const emailOf = (id: string) => Object.values(players).find((player) => player.id === id)!.email
const isEmpty = (figures: object) => Object.values(figures).every((value) => value === 0 || value === null)
const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

test('after any actions, every figure equals a plain count of what its reader sees', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 25, maxLength: 40 }), async (steps) => {
    for (const step of steps) {
      await perform(step)
      await observe()
    }
    await assertLeadsKnowTheirCalls(owner)
    await assertReportsHold()
  })
  await fc.assert(property, { numRuns: 4, seed: 39, endOnFailure: true })
})

/** Runs the statement of a migration that fills a column. */
async function fillFrom(migration: string) {
  const text = readFileSync(join(import.meta.dirname, '../../platform/database/migrations', migration), 'utf8')
  const start = text.indexOf('update leads')
  await owner.unsafe(text.slice(start, text.indexOf(';', start)))
}

test('the upgrade fills when and by which owner leads were closed from their timelines', async () => {
  // A second change in the same second is dated one later.
  const stored =
    () => owner`select id, date_trunc('minute', closed_at) as closed_at, assignee_at_close, status_before_close from leads
    where account_id = ${acme.account_id} and status in ('Won', 'Lost') order by id`
  const before = await stored()
  assert.ok(before.length > 5)
  await owner`update leads set closed_at = null, assignee_at_close = null, status_before_close = null`
  await fillFrom('0102_closed_leads.sql')
  assert.deepEqual([...(await stored())], [...before])
})

test('the upgrade fills who owned leads first from their timelines', async () => {
  const stored = () =>
    owner`select id, first_assignee from leads where account_id = ${acme.account_id} and first_assignee is not null order by id`
  const leads = await owner`select id from leads where account_id = ${acme.account_id} order by id limit 9`
  for (const assigned_to of [bela.email, null, chand.email])
    for (const { id } of leads) await browsers.asha.send('PATCH', `/web/leads/${id}`, { assigned_to })
  await observe()
  const before = await stored()
  assert.ok(before.length >= leads.length)
  await owner`update leads set first_assignee = null`
  await fillFrom('0108_first_owners.sql')
  assert.deepEqual([...(await stored())], [...before])
})

test('each figure is that of the list to which it links', async () => {
  for (const who of [browsers.asha, browsers.meena]) {
    const { rows, total, from_date, to_date } = await report<UserReport>(who, 'users')
    const listed = async (path: string) =>
      (await who.send('GET', `/web/${path}&limit=1`)).body.pagination.total as number
    const dates = `from_date=${from_date}&to_date=${to_date}`
    const closedDates = `closed_from=${from_date}&closed_to=${to_date}`
    // The total has no owner.
    for (const { key, figures } of [...rows.filter(({ key }) => key !== 'unknown'), { key: null, ...total }]) {
      const of = (owner: string) => (key === null ? '' : `&${owner}=${key}`)
      const leads = `leads?${dates}${of('assigned_to')}`
      const first = `leads?${dates}${of('first_owner')}`
      assert.equal(await listed(first), figures.leads)
      assert.equal(await listed(`${leads}&status=New&last_call=never`), figures.uncalled)
      assert.equal(await listed(`${first}&status=Won`), figures.converted)
      const closed = `leads?${closedDates}${of('closed_by')}`
      assert.equal(await listed(`${closed}&status=Won`), figures.won)
      assert.equal(await listed(`${closed}&status=Lost`), figures.lost)
      assert.equal(await listed(`leads?follow_up=overdue${of('assigned_to')}`), figures.overdue)
      assert.equal(await listed(`leads?follow_up=going_cold${of('assigned_to')}`), figures.going_cold)
      assert.equal(await listed(`calls?${dates}${of('assigned_to')}&unreturned=true`), figures.unreturned)
      assert.equal(await listed(`calls?${dates}${of('owner_at_call')}&call_type=Inbound&missed=true`), figures.missed)
      if (key === 'nobody' || key === null) continue
      assert.equal(await listed(`calls?${dates}&called_by=${key}&call_type=Outbound`), figures.calls)
      assert.equal(await listed(`calls?${dates}&called_by=${key}&connected=true`), figures.connected)
    }
  }
  const { from_date, to_date } = await report<UserReport>(browsers.asha, 'users')
  const dates = `from_date=${from_date}&to_date=${to_date}`
  const total = async (path: string) =>
    (await browsers.asha.send('GET', `/web/${path}&limit=1`)).body.pagination.total as number
  for (const group of originGroups) {
    const byOrigin = await report<OriginReport>(browsers.asha, `origins?group_by=${group}`)
    const rows = byOrigin.rows.filter((row) => row.name !== null)
    assert.ok(rows.length > 1, group)
    for (const { name, figures } of rows) {
      const leads = `leads?${dates}&${group}=${encodeURIComponent(name!)}`
      assert.equal(await total(leads), figures.leads, name!)
      assert.equal(await total(`${leads}&status=New&last_call=never`), figures.uncalled)
      assert.equal(
        await total(`${leads}&status=Contacted&status=Qualified&status=Proposal&status=Won`),
        figures.contacted,
      )
      assert.equal(await total(`${leads}&status=Qualified&status=Proposal&status=Won`), figures.qualified)
      assert.equal(await total(`${leads}&status=Won`), figures.converted)
      const closed = `leads?closed_from=${from_date}&closed_to=${to_date}&${group}=${encodeURIComponent(name!)}`
      assert.equal(await total(`${closed}&status=Won`), figures.won)
      assert.equal(await total(`${closed}&status=Lost`), figures.lost)
    }
  }
})

test('a team is of its users; a Manager has no other, and no account sees those of another', async () => {
  const north = await report<UserReport>(browsers.asha, 'users?team=north')
  assert.deepEqual(north.teams, ['north', 'south'])
  assert.ok(north.rows.every(({ key }) => [meena.email, bela.email].includes(key)))
  const own = await report<UserReport>(browsers.meena, 'users')
  assert.deepEqual(own.teams, ['north'])
  assert.deepEqual((await report<UserReport>(browsers.meena, 'users?team=south')).rows, [])
  assert.deepEqual(
    (await report<UserReport>(browsers.bela, 'users')).rows.map(({ key }) => key),
    [bela.email],
  )
  const other = await signedIn(app, zoya)
  assert.deepEqual(
    (await report<UserReport>(other, 'users')).rows.map(({ key }) => key),
    [zoya.email],
  )
  assert.deepEqual((await report<OriginReport>(other, 'origins')).rows, [])
})

const compared: [from: string, to: string, compare: PeriodUnit | 'days' | undefined, before: string, until: string][] =
  [
    ['2026-11-10', '2026-11-16', undefined, '2026-11-03', '2026-11-09'],
    ['2026-10-01', '2026-10-31', undefined, '2026-09-01', '2026-09-30'],
    ['2026-02-01', '2026-02-28', undefined, '2026-01-01', '2026-01-31'],
    ['2026-07-01', '2026-09-30', undefined, '2026-04-01', '2026-06-30'],
    ['2025-04-01', '2026-03-31', undefined, '2024-04-01', '2025-03-31'],
    ['2026-11-01', '2026-11-30', 'days', '2026-10-02', '2026-10-31'],
    ['2026-11-01', '2026-11-17', 'month', '2026-10-01', '2026-10-17'],
    ['2026-11-01', '2026-11-30', 'month', '2026-10-01', '2026-10-31'],
    ['2026-03-01', '2026-03-30', 'month', '2026-02-01', '2026-02-28'],
    ['2026-10-01', '2026-11-17', 'quarter', '2026-07-01', '2026-08-17'],
    ['2027-01-01', '2027-01-01', 'quarter', '2026-10-01', '2026-10-01'],
    ['2026-04-01', '2026-11-17', 'year', '2025-04-01', '2025-11-17'],
    ['2027-04-01', '2028-02-29', 'year', '2026-04-01', '2027-02-28'],
  ]
for (const [from_date, to_date, compare, before, until] of compared)
  test(`${from_date} to ${to_date} is compared with ${before} to ${until}`, () => {
    const periods = comparedPeriods({ from_date, to_date, ...(compare && { compare }) }, now)
    assert.deepEqual([periods.before.first_day, periods.before.last_day], [before, until])
  })

test('a report covers at most 366 days, and dates are checked', async () => {
  for (const [query, field] of [
    ['from_date=2025-11-01&to_date=2026-11-02', 'from_date'],
    ['from_date=1899-12-31&to_date=1900-01-01', 'from_date'],
    ['from_date=2026-02-30', 'from_date'],
    ['from_date=2026-09-01&to_date=2026-10-02&compare=month', 'compare'],
    ['compare=week', 'compare'],
    [`team=${'x'.repeat(201)}`, 'team'],
  ])
    for (const name of ['users', 'origins', 'users.csv', 'origins.csv', 'users.xlsx', 'origins.xlsx']) {
      const { status, body } = await browsers.asha.send('GET', `/web/reports/${name}?${query}`)
      assert.deepEqual([status, body.error?.field], [400, field], `${name} ${query}`)
    }
  const year = await report<UserReport>(browsers.asha, 'users?from_date=2025-11-02&to_date=2026-11-02')
  assert.deepEqual(year.before, { from_date: '2024-11-01', to_date: '2025-11-01' })
})

test('only Admins enter costs and see them with rejected deliveries, and a file has no formulas', async () => {
  const source = '=HYPERLINK("x")'
  const webhook = await webhookOf(app, acme, { default_source: source })
  for (const body of [
    { message: 'hello', name: 'x' },
    { name: 'Ravi', phone: '9833000001' },
  ])
    await fetch(`${app.url}/webhook/${webhook.token}`, { method: 'POST', body: JSON.stringify(body) })
  const month = day(0).slice(0, 7)
  const unchanged = await world(owner)
  for (const name of ['meena', 'bela'] as const)
    assert.equal(
      (await browsers[name].send('PUT', '/web/reports/costs', { kind: 'source', name: source, month, cost: 1 })).status,
      403,
    )
  for (const wrong of [
    { kind: 'source', name: source, month: '2026-13', cost: 1 },
    { kind: 'source', name: source, month, cost: -1 },
    { kind: 'source', name: '', month, cost: 1 },
    { kind: 'city', name: source, month, cost: 1 },
    { kind: 'source', name: source, month },
  ])
    assert.equal((await browsers.asha.send('PUT', '/web/reports/costs', wrong)).status, 400, JSON.stringify(wrong))
  assert.deepEqual(await world(owner), unchanged)
  const save = (cost: number | null, kind = 'source') =>
    browsers.asha.send('PUT', '/web/reports/costs', { kind, name: source, month, cost })
  for (const cost of [5000, 3100.5]) assert.equal((await save(cost)).status, 200)
  const days = `?from_date=${month}-01&to_date=${lastDayOf(month)}`
  const ofAdmin = await report<OriginReport>(browsers.asha, `origins${days}`)
  const row = ofAdmin.rows.find((row) => row.name === source)!
  assert.deepEqual([row.figures.leads, row.figures.rejected, row.figures.cost], [1, 1, 3100.5])
  assert.deepEqual(ofAdmin.costs, [{ name: source, month, cost: 3100.5 }])
  assert.equal((await save(700, 'campaign')).status, 200)
  const byCampaign = await report<OriginReport>(browsers.asha, `origins${days}&group_by=campaign`)
  const ofCampaign = byCampaign.rows.find((row) => row.name === source)!
  assert.deepEqual([ofCampaign.figures.leads, ofCampaign.figures.cost], [0, 700])
  assert.equal(byCampaign.total.figures.cost, 700)
  const ofOneSource = await report<OriginReport>(browsers.asha, `origins${days}&group_by=campaign&source=Fair`)
  assert.ok(ofOneSource.costs === undefined && ofOneSource.rows.every(({ name }) => name !== source))
  const ofManager = await report<OriginReport>(browsers.meena, `origins${days}`)
  assert.equal(ofManager.costs, undefined)
  assert.ok(
    [...ofManager.rows, ofManager.total].every(({ figures }) => !('cost' in figures) && !('rejected' in figures)),
  )
  const headerFor = async (who: keyof typeof browsers) =>
    String((await browsers[who].send('GET', `/web/reports/origins.csv${days}`)).body).split('\r\n')[0]!
  assert.match(await headerFor('asha'), /Cost per new lead won now/)
  assert.doesNotMatch(await headerFor('meena'), /Cost|Rejected/)
  const file = await browsers.asha.send('GET', `/web/reports/origins.csv${days}`)
  assert.match(String(file.body), /\r\n"?'=HYPERLINK/)
  for (const format of ['csv', 'xlsx'])
    assert.equal((await browsers.bela.send('GET', `/web/reports/users.${format}`)).status, 403)
  const { Users = [] } = await readSheets((await browsers.asha.send('GET', '/web/reports/users.xlsx')).body)
  const [header = {}, ...lines] = Users
  const won = Object.keys(header).find((column) => header[column]!.value === 'Won value (₹)')!
  const { rows, total } = await report<UserReport>(browsers.asha, 'users')
  assert.deepEqual(
    lines.map((line) => [line.A!.value, line[won]!.type, Number(line[won]!.value)]),
    [...rows, { name: 'Total', ...total }].map(({ name, figures }) => [name, 'n', figures.won_value]),
  )
  assert.match(String((await browsers.meena.send('GET', '/web/reports/users.csv')).body), /Bela/)
  assert.equal((await save(null)).status, 200)
  assert.equal((await report<OriginReport>(browsers.asha, `origins${days}`)).total.figures.cost, null)
})

test('Admins set goals for months, which Managers see of their team, and no one else changes them', async () => {
  const month = day(0).slice(0, 7)
  const set = (who: keyof typeof browsers, goal: object) =>
    browsers[who].send('PUT', '/web/reports/goals', { email: bela.email, month, won_value: 500_000, ...goal })
  const unchanged = await world(owner)
  for (const who of ['meena', 'bela'] as const) assert.equal((await set(who, {})).status, 403)
  for (const [wrong, field] of [
    [{ email: zoya.email }, 'email'],
    [{ month: '2026-13' }, 'month'],
    [{ won_value: 0 }, 'won_value'],
  ] as const) {
    const { status, body } = await set('asha', wrong)
    assert.deepEqual([status, body.error.field], [400, field])
  }
  assert.deepEqual(await world(owner), unchanged)
  for (const goal of [{ won_value: 1 }, {}, { email: chand.email, won_value: 300_000.5 }])
    assert.equal((await set('asha', goal)).status, 200)
  const goalsOf = async (who: keyof typeof browsers, query = `?from_date=${month}-01&to_date=${lastDayOf(month)}`) => {
    const { rows, total, goal_months, goals } = await report<UserReport>(browsers[who], `users${query}`)
    const of = (email: string) => rows.find(({ key }) => key === email)?.goal
    return { bela: of(bela.email), chand: of(chand.email), total: total.goal, months: goal_months, goals: goals.length }
  }
  assert.deepEqual(await goalsOf('asha'), {
    bela: 500_000,
    chand: 300_000.5,
    total: 800_000.5,
    months: [month],
    goals: 2,
  })
  assert.deepEqual(await goalsOf('meena'), {
    bela: 500_000,
    chand: undefined,
    total: 500_000,
    months: [month],
    goals: 1,
  })
  assert.deepEqual(await goalsOf('asha', `?from_date=${month}-02`), {
    bela: null,
    chand: null,
    total: null,
    months: null,
    goals: 0,
  })
  assert.equal((await goalsOf('asha', `?from_date=${month}-01`)).total, 800_000.5)
  assert.match(
    String((await browsers.asha.send('GET', `/web/reports/users.csv?from_date=${month}-01`)).body),
    /,Goal \(₹\)\r\n/,
  )
  assert.equal((await set('asha', { won_value: null })).status, 200)
  assert.equal((await goalsOf('asha')).total, 300_000.5)
})

const lastDayOf = (month: string) =>
  Temporal.PlainDate.from(`${month}-01`).add({ months: 1 }).subtract({ days: 1 }).toString()

test('names beyond the first 200 are joined in one row, with their costs, and the file has them', async () => {
  const names = Array.from({ length: 250 }, (_, n) => `Campaign ${n}`)
  const many = await account(app.database, 'Many')
  const admin = await signedIn(app, await addPlayer(app.database, app.url, many, 'Maya', 'Admin', null))
  const leads = names.flatMap((campaign, n) => Array.from({ length: n < 100 ? 2 : 1 }, () => campaign))
  const { body } = await admin.send('POST', '/web/leads', { name: 'One', phone: '9844000001', source: 'Fair' })
  assert.ok(body.data.id)
  await owner`insert into leads (account_id, id, name, email_key, source, status, priority, tags, deal_value, created_at, updated_at, closed_at, campaign)
    select ${many.account_id}, gen_random_uuid(), 'Lead', 'lead' || n, 'Fair', 'Won', 'Low', '{}', 10, ${now}, ${now}, ${now}, campaign
    from unnest(${leads}::text[]) with ordinality as of_lead (campaign, n)`
  const cost = { kind: 'campaign', month: day(0).slice(0, 7), cost: 300 }
  for (const name of ['Campaign 0', 'Campaign 249'])
    assert.equal((await admin.send('PUT', '/web/reports/costs', { ...cost, name })).status, 200)
  const { rows, total } = await report<OriginReport>(admin, 'origins?group_by=campaign')
  const [first, others, none] = [rows[0]!, rows.at(-2)!, rows.at(-1)!]
  assert.deepEqual([rows.length, first.name, first.figures.leads], [202, 'Campaign 0', 2])
  assert.deepEqual([others.name, others.joined, others.figures.leads, others.figures.won_value], [null, 50, 50, 500])
  assert.deepEqual([none.name, none.joined, none.figures.leads, none.figures.cost], [null, undefined, 1, null])
  assert.ok(first.figures.cost! > 0 && others.figures.cost === first.figures.cost)
  assert.equal(total.figures.cost, first.figures.cost! * 2)
  assert.deepEqual([total.figures.leads, total.figures.won_value], [351, 3500])
  const file = String((await admin.send('GET', '/web/reports/origins.csv?group_by=campaign')).body)
  assert.equal(file.trim().split('\r\n').length, 1 + 250 + 2)
  assert.match(
    file,
    /^\ufeff?Campaign,New leads,Repeat enquiries,Uncalled,Contacted,Qualified,New leads won now,Conversion \(%\),Won,/,
  )
})

test('repeat enquiries count for what they name themselves', async () => {
  const webhook = await webhookOf(app, acme, { default_source: 'Fair' })
  const sent = (campaign: string) => ({ name: 'Ravi', phone: '9833000777', utm_campaign: campaign, budget: campaign })
  await webhook.send(sent('First campaign'))
  now = new Date(now.getTime() + 3_600_000)
  await webhook.send(sent('Second campaign'))
  const { rows } = await report<OriginReport>(browsers.asha, 'origins?group_by=campaign')
  const of = (wanted: string) => {
    const { figures } = rows.find(({ name }) => name === wanted)!
    return [figures.leads, figures.enquired_again]
  }
  assert.deepEqual(
    [of('First campaign'), of('Second campaign')],
    [
      [1, 0],
      [0, 1],
    ],
  )
})

test('the cost of a month is shared by its days', () => {
  const shares: [string, string, string, number][] = [
    ['2026-11-01', '2026-11-30', '2026-11', 3000],
    ['2026-11-16', '2026-11-30', '2026-11', 1500],
    ['2026-10-01', '2026-11-03', '2026-11', 300],
    ['2026-11-30', '2027-02-01', '2026-11', 100],
    ['2026-10-01', '2026-10-31', '2026-11', 0],
  ]
  for (const [first_day, last_day, month, cost] of shares)
    assert.equal(costWithin({ first_day, last_day, from: now, until: now }, month, 3000), cost)
})
