import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { readTable } from '#test/read-sheets.ts'
import { fillAccount } from '../../../operations/demo/fill.ts'
import { asActor } from '../../platform/database/actor.ts'
import type { Days } from '../../platform/periods/contract.ts'
import type { LeadSearch } from './contract.ts'

/** So many that lists are scanned in order, and searches use the indexes of prefixes. */
const leads = 12_000
const app = await testApp()
after(app.close)
const { acme, asha, bela, meena } = await people(app)
const [admin, manager] = await Promise.all([asha, meena].map((person) => signedIn(app, person)))

/** Imports of all leads, and of some. */
const [all, some] = [randomUUID(), randomUUID()]

before(async () => {
  await fillAccount(app.connection, app.database, acme, { leads, days: 20, now: new Date(), onProgress: () => {} })
  // A search in Latin letters finds names in Indian scripts, too, which the conditions of the tests do not.
  await app.owner`update leads set name = 'Latin Letters', answer_start = null where octet_length(name) > length(name)`
  await app.owner`update leads set updated_at = (created_at at time zone 'UTC' + interval '1 day' * (length(name) % 7)) at time zone 'UTC'`
  await app.owner`update leads set product = 'P' || length(name) % 3`
  await app.owner`insert into lead_import_leads select account_id, ${all}, id, true from leads`
  await app.owner`insert into lead_import_leads select account_id, ${some}, id, true from leads where length(name) % 3 = 1`
  // Searches also find words of answers.
  await app.owner`delete from enquiries`
  await app.owner`vacuum analyze leads`
})

const ask = async (browser: typeof admin, query: string) => (await browser!.send('GET', `/web/leads?${query}`)).body

const orders = {
  newest: 'created_at desc, id desc',
  updated: 'updated_at desc, id desc',
  name: `lower(name) collate "C", id`,
  last_call: 'last_call_at desc nulls last, created_at desc, id desc',
  value: 'deal_value desc nulls last, id desc',
  'newest&reverse=true': 'created_at, id',
  'name&reverse=true': `lower(name) collate "C" desc, id desc`,
  'last_call&reverse=true': 'last_call_at nulls first, created_at, id',
  'value&reverse=true': 'deal_value nulls first, id',
}

for (const [sort, order] of Object.entries(orders)) {
  test(`sorted by ${sort}, pages come in order, each lead once`, async () => {
    const expected = await app.owner.unsafe(`select id from leads order by ${order}`)
    for (const offset of [0, 480, 9990]) {
      const { data, pagination } = await ask(admin, `sort=${sort}&limit=100&offset=${offset}`)
      assert.deepEqual(pagination, { limit: 100, offset, total: leads, total_capped: false, has_more: true })
      const ids = data.map(({ id }: { id: string }) => id)
      assert.deepEqual(
        ids,
        expected.slice(offset, offset + 100).map(({ id }) => id),
      )
    }
  })
}

test('more leads since a time than are counted have a lower bound as total, and are read to the end', async () => {
  const page = async (query: string) =>
    (await asha.send('GET', `/api/v1/leads?updated_since=2020-01-01T00:00:00Z&${query}`)).body
  const expected = await app.owner`select id from leads order by updated_at, id`
  for (const [offset, total, capped, has_more] of [
    [0, 10_000, true, true],
    [11_499, 11_999, true, true],
    [11_500, 12_000, undefined, false],
    [11_900, 12_000, undefined, false],
  ] as const) {
    const { data, pagination } = await page(`limit=500&offset=${offset}`)
    assert.deepEqual(
      [pagination.total, pagination.total_capped, pagination.has_more],
      [total, capped, has_more],
      String(offset),
    )
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      expected.slice(offset, offset + 500).map(({ id }) => id),
    )
  }
  assert.equal((await page('offset=100001')).error.field, 'offset')
  const [own] = await app.owner`select count(*)::int as n from leads where assigned_to = ${bela.id}`
  const { pagination } = (await bela.send('GET', '/api/v1/leads?updated_since=2020-01-01T00:00:00Z')).body
  assert.deepEqual([pagination.total, pagination.total_capped, pagination.has_more], [own!.n, undefined, true])
})

for (const [whose, player, filter] of [
  ['an Admin', asha, 'true'],
  ['an Agent', bela, `assigned_to = '${bela.id}'`],
  ['an Admin with a filter', asha, `status = 'Won'`],
] as const)
  test(`the pages of cursors of ${whose} have every lead once, in the order of changes`, async () => {
    const expected = await app.owner`select id from leads where ${app.owner.unsafe(filter)} order by updated_at, id`
    const query = `updated_since=2020-01-01T00:00:00Z&limit=500${filter.startsWith('status') ? '&status=Won' : ''}`
    const ids: string[] = []
    for (let [cursor, more] = ['', true]; more; ) {
      const { body } = await player.send('GET', `/api/v1/leads?${query}&cursor=${cursor}`)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.pagination.next_cursor
      more = body.pagination.has_more
    }
    assert.deepEqual(
      ids,
      expected.map(({ id }) => id),
    )
  })

test('a Manager’s sorted list contains only the team’s leads', async () => {
  const team = await app.owner`select leads.id from leads join users on users.id = assigned_to
    where team = 'north' order by lower(leads.name) collate "C", leads.id`
  const { data, pagination } = await ask(manager, 'sort=name&limit=200')
  assert.equal(pagination.total, team.length)
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    team.slice(0, 200).map(({ id }) => id),
  )
})

test('the newest leads of some users are the same, however many users there are and leads their number promises', async () => {
  const two = [meena.id, bela.id]
  for (const [status, source, priority] of [
    [null, null, null],
    ['New', null, null],
    [null, 'Website', 'High'],
    [null, 'Nowhere', null],
  ] as const) {
    for (const offset of [20, 480]) {
      const expected = await app.owner`select id from leads where assigned_to = any (${two})
        and (${status}::text is null or status = ${status}) and (${source}::text is null or source = ${source})
        and (${priority}::text is null or priority = ${priority})
        order by created_at desc, id desc limit 50 offset ${offset}`
      if (offset === 20) assert.equal(expected.length > 0, source !== 'Nowhere')
      for (const theirs of [two, [...two, randomUUID(), randomUUID()]]) {
        for (const matching of [expected.length, 1_000_000]) {
          const found = await asActor(
            app.database,
            asha.actor,
            (
              tx,
            ) => tx`select lead as id from newest_leads_of(${acme.account_id}, ${theirs}, '2020-01-01', now(), ${status},
              ${source}, ${priority}, ${matching}, 50, ${offset})`,
          )
          assert.deepEqual([...found], [...expected])
        }
      }
    }
  }
})

/** Filters that leave few leads, and many. */
const filters: Record<string, string> = {
  'status=New&status=Won': `status in ('New', 'Won')`,
  'priority=High&priority=Low&source=Meta&source=IVR': `priority in ('High', 'Low') and source in ('Meta', 'IVR')`,
  'tag=STALL': `'stall' = any (tags)`,
  'tag=stall&tag=export': `tags && '{stall,export}'`,
  'city=pune&city=Mumbai': `city in ('Pune', 'Mumbai')`,
  'product=P1&product=P2': `product in ('P1', 'P2')`,
  'product=P0&city=Pune&tag=stall': `product = 'P0' and city = 'Pune' and 'stall' = any (tags)`,
  'last_call=today': `(last_call_at + interval '5:30')::date = (now() + interval '5:30')::date`,
  'last_call=7_days': `last_call_at < now() - interval '7 days'`,
  'min_value=50000&max_value=100000': 'deal_value between 50000 and 100000',
  'min_value=1000000&tag=site-visit&city=Pune': `deal_value >= 1000000 and 'site-visit' = any (tags) and city = 'Pune'`,
  [`import=${all}`]: 'true',
  [`import=${some}&status=New`]: `length(name) % 3 = 1 and status = 'New'`,
  [`assigned_to=nobody&assigned_to=${bela.email}`]: `assigned_to is null or assigned_to = '${bela.id}'`,
}

for (const [query, condition] of Object.entries(filters)) {
  test(`filtered by ${query}, lists and totals are exact in several orders, for Admin and Manager`, async () => {
    for (const [browser, visible] of [
      [admin, 'true'],
      [manager, `assigned_to in ('${meena.id}', '${bela.id}')`],
    ] as const) {
      for (const [sort, order] of [...Object.entries(orders).slice(0, 5), ['newest&reverse=true', 'created_at, id']]) {
        const expected = await app.owner.unsafe(
          `select id from leads where (${condition}) and ${visible} order by ${order}`,
        )
        const { data, pagination } = await ask(browser!, `${query}&sort=${sort}&limit=200`)
        assert.equal(pagination.total, expected.length)
        assert.deepEqual(
          data.map(({ id }: { id: string }) => id),
          expected.slice(0, 200).map(({ id }) => id),
        )
      }
    }
  })
}

test('more than 10,000 leads of a filter that the daily counts do not know are listed in order and not counted', async () => {
  await app.owner`update leads set tags = tags || array['All']`
  await app.owner`vacuum analyze leads`
  for (const query of ['tag=all', 'min_value=0&tag=all', 'city=Pune&tag=all', 'tag=ALL&tag=none', 'last_call=never']) {
    const condition = query.includes('value') ? 'deal_value >= 0' : query.includes('city') ? `city = 'Pune'` : 'true'
    const uncalled = query.includes('never') ? 'last_call_at is null' : condition
    for (const sort of ['newest', 'newest&reverse=true', 'value']) {
      const { data, pagination } = await ask(admin, `${query}&sort=${sort}&limit=60`)
      const expected = await app.owner.unsafe(
        `select id from leads where ${uncalled} order by ${orders[sort as 'name']} limit 60`,
      )
      const [{ n }] = await app.owner.unsafe<[{ n: number }]>(`select count(*)::int as n from leads where ${uncalled}`)
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        expected.map(({ id }) => id),
        `${query} ${sort}`,
      )
      assert.deepEqual([pagination.total, pagination.total_capped], [Math.min(n, 10_000), n > 10_000], query)
    }
  }
  const { pagination } = await ask(manager, 'tag=all')
  assert.equal(pagination.total_capped, false)
})

test('a search by the beginning of a first or last name is exact in every order', async () => {
  const [{ last }] = (await app.owner`select split_part(name, ' ', 2) as last from leads where name like '% %'
    group by 1 order by count(*) limit 1`) as unknown as [{ last: string }]
  for (const [sort, order] of Object.entries(orders)) {
    const expected = await app.owner.unsafe(
      `select id from leads where lower(name) like $1 or lower(name) like $2 or email_key like $1
        or lower(company) like $1 or lower(city) like $1 order by ${order}`,
      [`${last.toLowerCase()}%`, `% ${last.toLowerCase()}%`],
    )
    const { data, pagination } = await ask(admin, `search=${last}&sort=${sort}&limit=500`)
    assert.equal(pagination.total, expected.length)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      expected.slice(0, 500).map(({ id }) => id),
    )
  }
})

const wordsIn = (text: string) =>
  text
    .split(' ')
    .map((word) => `' ' || concat_ws(' ', name, company, city, array_to_string(tags, ' ')) ilike '% ${word}%'`)
    .join(' and ')

test('a search by the last digits of a phone, a company, a city or a tag is exact, for Admin and Manager', async () => {
  const [{ phone, company, tag }] = await app.owner<[{ phone: string; company: string; tag: string }]>`
    select phone_key as phone, company, tags[1] as tag from leads
    where phone_key ~ '[1-9]..[1-9]...$' and company like '% %' and tags[1] <> 'All' and assigned_to = ${bela.id}
      -- Unlike "chat", with which Chatterjee begins.
      and not exists (select from leads other
        where other.account_id = leads.account_id
          and ' ' || concat_ws(' ', other.name, other.company, other.city) ilike '% ' || leads.tags[1] || '%')
    limit 1`
  for (const [search, condition] of [
    [phone.slice(-4), `phone_key like '%${phone.slice(-4)}' or phone_key like '+91${phone.slice(-4)}%'`],
    [phone.slice(-7), `phone_key like '%${phone.slice(-7)}' or phone_key like '+91${phone.slice(-7)}%'`],
    [company, wordsIn(company)],
    [company.slice(0, -1).toUpperCase(), wordsIn(company.slice(0, -1))],
    ['NAGPU', `city ilike 'nagpu%'`],
    [tag, `'${tag}' = any (tags)`],
    [`${company} ${tag}`, wordsIn(`${company} ${tag}`)],
  ] as [string, string][]) {
    for (const [browser, visible] of [
      [admin, 'true'],
      [manager, `assigned_to in ('${meena.id}', '${bela.id}')`],
    ] as const) {
      const expected = await app.owner.unsafe(
        `select id from leads where (${condition}) and ${visible} order by created_at desc, id desc`,
      )
      const { data, pagination } = await ask(browser!, `search=${encodeURIComponent(search)}&limit=500`)
      assert.ok(expected.length > 0 && pagination.total === expected.length, `${search}: ${pagination.total}`)
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        expected.slice(0, 500).map(({ id }) => id),
      )
    }
  }
})

test('a search by words of answers is exact where few have them, with a lower bound where many have', async () => {
  await app.owner`delete from enquiries`
  await app.owner`insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, source, is_repeat, answers)
    select account_id, id, assigned_to, created_at, created_at, 'webhook', source, false,
      jsonb_build_array(jsonb_build_object('question', 'Amenity', 'answer', 'Terrace' || case when right(id::text, 2) = '00' then ' penthouse' else '' end))
    from leads`
  const expected = await app.owner<{ id: string; assigned_to: string }[]>`
    select id, assigned_to from leads where right(id::text, 2) = '00' order by created_at desc, id desc`
  assert.ok(expected.length > 10)
  for (const [browser, visible] of [
    [admin, expected],
    [manager, expected.filter(({ assigned_to }) => [meena.id, bela.id].includes(assigned_to))],
  ] as const) {
    const { data, pagination } = await ask(browser!, 'search=terrace%20Penthouse&limit=500')
    assert.deepEqual([pagination.total, pagination.total_capped], [visible.length, false])
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      visible.map(({ id }) => id),
    )
  }
  const { data, pagination } = await ask(admin, 'search=terrace&limit=50&sort=name')
  assert.deepEqual([pagination.total, pagination.total_capped, pagination.has_more], [5000, true, true])
  const names = await app.owner`select id from leads order by lower(name) collate "C", id limit 50`
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    names.map(({ id }) => id),
  )
  await app.owner`delete from enquiries`
})

test('a search with too many matches answers a page in order, and its total is capped', async () => {
  const { data, pagination } = await ask(admin, 'search=%2B91&sort=updated&limit=50')
  assert.deepEqual([pagination.total, pagination.total_capped, pagination.has_more], [5000, true, true])
  const expected =
    await app.owner`select id from leads where phone_key like '+91%' order by updated_at desc, id desc limit 50`
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
  )
})

test('an offset beyond the limit answers 400', async () => {
  for (const query of ['sort=name&offset=10001', 'search=%2B91&offset=2001']) {
    const { error } = await ask(admin, query)
    assert.deepEqual([error.code, error.field], ['INVALID_PARAM', 'offset'])
  }
  assert.equal((await ask(admin, 'offset=11990')).data.length, 10)
})

for (const [sort, order] of Object.entries(orders))
  test(`an export sorted by ${sort} contains every lead once, in order`, async () => {
    const expected = await app.owner.unsafe(`select id from leads order by ${order}`)
    const { body } = await admin!.send('GET', `/web/leads.csv?from_date=1900-01-01&columns=id&sort=${sort}`)
    const [, ...ids] = body.trim().split('\r\n')
    assert.deepEqual(
      ids,
      expected.map(({ id }) => id),
    )
  })

test('a workbook of many pieces contains every lead once', async () => {
  const { body } = await admin!.send('GET', '/web/leads.xlsx?from_date=1900-01-01')
  const rows = await readTable(body)
  assert.equal(rows.length, leads)
  assert.equal(new Set(rows.map(({ Id }) => Id)).size, leads)
})

test('every page far into a list is exact, also beside new leads and removed ones', async () => {
  const queries: Record<string, string> = {
    '': 'true',
    '&status=Contacted': `status = 'Contacted'`,
    '&source=Meta': `source = 'Meta'`,
    '&priority=Low': `priority = 'Low'`,
    '&priority=Medium&source=Meta': `priority = 'Medium' and source = 'Meta'`,
  }
  const assertPages = async () => {
    for (const [query, condition] of Object.entries(queries)) {
      const expected = await app.owner.unsafe(
        `select id from leads where (${condition}) order by created_at desc, id desc`,
      )
      for (let offset = 1; offset < expected.length; offset = Math.ceil(offset * 1.4)) {
        const { body } = await asha.send(
          'GET',
          `/api/v1/leads?from_date=2020-01-01&to_date=2100-01-01&limit=30&offset=${offset}${query}`,
        )
        assert.equal(body.pagination.total, expected.length)
        assert.deepEqual(
          body.data.map(({ id }: { id: string }) => id),
          expected.slice(offset, offset + 30).map(({ id }) => id),
          `${query} from ${offset}`,
        )
      }
    }
  }
  await assertPages()
  const [removed] = await app.owner`select id from leads order by created_at offset 100 limit 1`
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${removed!.id}`)).status, 200)
  await asha.send('POST', '/api/v1/leads', { name: 'New', email: 'new@x.in', source: 'Meta' })
  await assertPages()
})

test('a search of calls finds those of the newest leads that match, and says if more match', async () => {
  for (const [search, capped] of [
    ['a', true],
    ['s', true],
    ['patil', false],
    ['zzz', false],
  ] as const)
    for (const browser of [admin, manager]) {
      const { data, pagination } = await ask(browser, `search=${search}&limit=500`)
      const ids = data.map(({ id }: { id: string }) => id)
      const expected = await app.owner`select id from call_logs where lead_id = any (${ids}::uuid[])
        order by called_at desc, id desc`
      const list = (await browser!.send('GET', `/web/calls?search=${search}&limit=500`)).body
      assert.deepEqual(
        list.data.map(({ id }: { id: string }) => id),
        expected.map(({ id }) => id),
      )
      const totals = (await browser!.send('GET', `/web/calls/totals?search=${search}`)).body.data
      assert.equal(totals.calls, expected.length)
      assert.equal(pagination.total_capped || pagination.has_more, capped, search)
      assert.deepEqual([list.pagination.total_capped, totals.capped], [capped, capped])
    }
})

/** One value of each filter of the list. */
const eachFilter = {
  ...{ status: 'New', source: 'IVR', priority: 'High', tag: 'stall', city: 'Pune', assigned_to: bela.email },
  ...{ product: 'P1', campaign: 'Diwali', ad: 'Video', form: 'Visit', lost_reason: 'Price' },
  ...{ last_call: 'never', follow_up: 'overdue', min_value: '50000', max_value: '100000', import: some },
  ...{ closed_from: '2020-01-01', closed_to: '2020-01-31', closed_by: bela.email, first_owner: bela.email },
} satisfies Record<Exclude<keyof LeadSearch, 'search' | keyof Days | 'sort' | 'reverse' | 'limit' | 'offset'>, string>

test('a search among many leads goes with each filter', async () => {
  const [{ first }] = await app.owner<[{ first: string }]>`
    select mode() within group (order by split_part(name, ' ', 1)) as first from leads where assigned_to = ${bela.id}`
  for (const [name, value] of Object.entries(eachFilter)) {
    const answer = await admin!.send('GET', `/web/leads?search=${first}&${name}=${encodeURIComponent(value)}`)
    assert.equal(answer.status, 200, name)
  }
  await app.owner`update leads set first_assignee = ${bela.id} where assigned_to is null`
  const expected = await app.owner`select id from leads where coalesce(first_assignee, assigned_to) = ${bela.id}
    and lower(name) like ${`${first.toLowerCase()} %`} order by created_at desc, id desc`
  const { data } = await ask(admin, `search=${first}%20&first_owner=${bela.email}&limit=500`)
  assert.ok(expected.length > 5)
  assert.ok(expected.every(({ id }) => data.some((lead: { id: string }) => lead.id === id)))
})

test('a name in Latin letters finds first and last names in an Indian script among many leads', async () => {
  for (const [name, place] of [
    ['जुत्शी रवि', 0],
    ['Ravi ਜ਼ੁਤਸ਼ੀ', 1],
    ['જુતારામ', 2],
  ] as const)
    await app.owner`update leads set name = ${name}, answer_start = null
      where id in (select id from leads order by id offset ${place * 3} limit 3)`
  const expected = await app.owner`select id from leads where name in ('जुत्शी रवि', 'Ravi ਜ਼ੁਤਸ਼ੀ')
    order by created_at desc, id desc`
  const { data, pagination } = await ask(admin, 'search=zutshi')
  assert.equal(pagination.total, 6)
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
  )
})

test('closed leads are sorted by closing, few and many, also of a search, and open ones are not', async () => {
  const [{ day, first }] = await app.owner<[{ day: string; first: string }]>`
    select (max(closed_at) - interval '9 days')::date::text as day, mode() within group (order by split_part(name, ' ', 1)) as first
    from leads where status = 'Won'`
  const since = `closed_at >= '${day}T00:00+05:30'`
  const named = `lower(name) like '${first.toLowerCase()}%'`
  await checkSortedByClosing('status=Won', `status = 'Won'`)
  await checkSortedByClosing('status=Won&status=Lost&source=IVR', `status in ('Won', 'Lost') and source = 'IVR'`)
  await checkSortedByClosing(`closed_from=${day}`, since)
  await checkSortedByClosing(`closed_from=${day}&search=${first}`, `${since} and ${named}`)
  await app.owner`update leads set closed_at = updated_at`
  await app.owner`vacuum analyze leads`
  await checkSortedByClosing('closed_from=2000-01-01', 'true')
  for (const query of ['', 'status=New', 'status=Won&status=New']) {
    const { error } = await ask(admin, `${query}&sort=closed`)
    assert.equal(error.field, 'sort')
  }
})

/** Compares lists that are sorted by closing, in both directions, with the leads of a condition. */
async function checkSortedByClosing(query: string, condition: string) {
  for (const [sort, order] of [
    ['closed', 'closed_at desc, id desc'],
    ['closed&reverse=true', 'closed_at, id'],
  ]) {
    const { data } = await ask(admin, `${query}&sort=${sort}&limit=200&with=closed&with=expected_close`)
    const expected = await app.owner.unsafe(
      `select id, closed_at from leads where ${condition} order by ${order} limit 200`,
    )
    assert.deepEqual(
      data.map(({ id, closed_at }: { id: string; closed_at: string }) => [id, Date.parse(closed_at)]),
      expected.map(({ id, closed_at }) => [id, closed_at.getTime()]),
      `${query} ${sort}`,
    )
    assert.ok(data.length > 5 && data.every((lead: object) => 'expected_close' in lead))
  }
}
