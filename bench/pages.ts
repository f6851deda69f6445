import type { Actor } from '../server/platform/database/actor.ts'
import type { Sql } from '../server/platform/database/sql.ts'
import { istDay } from '../server/platform/http/instants.ts'

export interface Page {
  path: string
  /** If present, the request is a POST. */
  body?: unknown
}

/** The requests of the pages of the web app: of all roles, and of Admins only. */
export async function pagesOf(owner: Sql, { account_id }: Actor, person: { id: string; email: string }) {
  const ids = await idsIn(owner, account_id, person.id)
  return {
    everybody: [...leadPages(ids, person), ...callPages(ids, person), ...overviews, ...reports],
    admins: adminPages(ids, person),
  }
}

type Ids = Awaited<ReturnType<typeof idsIn>>

/** A lead of that user, which all roles see, and the webhooks with the most and the fewest deliveries. */
async function idsIn(owner: Sql, account: string, person: string) {
  const only = async (query: PromiseLike<readonly { id: string }[]>) => (await query)[0]!.id
  return {
    lead: await only(owner`select lead_id as id from call_logs where account_id = ${account} and assigned_to = ${person}
      group by 1 order by count(*) desc limit 1`),
    busy: await only(owner`select webhook_id as id from deliveries where account_id = ${account}
      group by 1 order by count(*) desc limit 1`),
    idle: await only(owner`select webhook_id as id from deliveries where account_id = ${account}
      group by 1 order by count(*) limit 1`),
    rejected: await only(
      owner`select id from deliveries where account_id = ${account} and outcome = 'rejected' limit 1`,
    ),
    oldDelivery: await only(owner`select id from deliveries where account_id = ${account} order by received_at
      offset 1000 limit 1`),
    oldEntry: await only(
      owner`select id::text from audit_log where account_id = ${account} order by at offset 1000 limit 1`,
    ),
    rarest: await only(owner`select user_id as id from audit_log where account_id = ${account} and user_id is not null
      group by 1 order by count(*) limit 1`),
  }
}

const dayBefore = (days: number) => istDay(new Date(Date.now() - days * 86_400_000))
const ever = `from_date=${dayBefore(120)}`
const get = (paths: string[]): Page[] => paths.map((path) => ({ path }))

function leadPages({ lead }: Ids, { email }: { email: string }): Page[] {
  const searches = [
    'a',
    's',
    'z',
    '9',
    '+',
    'as',
    'sh',
    '98',
    'asha',
    'kumar',
    'asha k',
    'a k',
    '98200',
    '+91 98',
    'a@',
    'asha@x',
    '1234',
    '001234',
    'pune',
    'traders',
    'property',
    'asha pune',
    'shah enterprises property',
  ]
  const filters = [
    ever,
    `${ever}&status=New`,
    `${ever}&source=Website`,
    `${ever}&source=99acres`,
    `${ever}&priority=High`,
    `${ever}&assigned_to=${email}`,
  ]
  const sorts = ['newest', 'updated', 'name', 'last_call', 'value'].flatMap((sort) => [
    `${sort}`,
    `${sort}&reverse=true`,
  ])
  const uncounted = [
    'status=New&status=Won',
    'source=Website&source=IVR&priority=High',
    'tag=property',
    'tag=export&tag=3bhk',
    'city=Pune',
    'city=Pune&city=Mumbai&status=New',
    'last_call=never',
    'last_call=today',
    'last_call=7_days',
    'min_value=5000000',
    'max_value=50000&last_call=never',
    'tag=property&city=Pune&min_value=7000000&last_call=30_days',
    `assigned_to=nobody&assigned_to=${email}`,
  ]
  return [
    ...sorts.flatMap((sort) => get([`/leads?${ever}&sort=${sort}`, `/leads?${ever}&status=New&sort=${sort}`])),
    ...uncounted.flatMap((filter) => get(sorts.map((sort) => `/leads?${ever}&${filter}&sort=${sort}`))),
    // Without dates: of all days.
    ...['never', 'today', '30_days', '90_days'].flatMap((lastCall) =>
      get(
        ['', '&sort=last_call&reverse=true', '&status=Contacted'].map((more) => `/leads?last_call=${lastCall}${more}`),
      ),
    ),
    ...get(['0000', '12345', '9812345678', '09812345678'].map((digits) => `/leads?search=${digits}&limit=8`)),
    ...get([`/leads?${ever}&tag=property&search=asha`, `/leads?${ever}&last_call=never&search=sh`]),
    ...get([`/leads.csv?${ever}&tag=3bhk`, `/leads.csv?${ever}&last_call=7_days&city=Pune`]),
    ...get(['/call-queue', `/call-queue?assigned_to=${email}`, '/call-queue?reason=never_called']),
    ...get(['going_cold', 'to_answer', 'enquired_again'].map((followUp) => `/leads?follow_up=${followUp}`)),
    ...get(['/today', '/today?team=true', `/today?assigned_to=${email}`, '/today/due']),
    ...get([
      '/me',
      '/users',
      '/leads',
      '/leads/choices',
      '/views',
      '/views/counts',
      `/leads/${lead}`,
      `/leads/${lead}/timeline`,
    ]),
    ...get([`/leads/${lead}/timeline?limit=100`, `/leads?from_date=${dayBefore(60)}&to_date=${dayBefore(50)}`]),
    ...get(['/leads?status=New', '/leads?source=Website', '/leads?priority=High', `/leads?assigned_to=${email}`]),
    ...get([`/leads?${ever}&limit=500`, `/leads?${ever}&status=Won&source=Website&priority=High&assigned_to=${email}`]),
    ...['newest', 'updated', 'name'].flatMap((sort) =>
      get(
        ['', '&status=New', '&search=asha'].map((filter) => `/leads?${ever}&assigned_to=nobody&sort=${sort}${filter}`),
      ),
    ),
    ...get([`/leads?${ever}&source=Nowhere`, `/leads?${ever}&source=Nowhere&sort=name`]),
    ...filters.flatMap((filter) =>
      get([
        ...['newest', 'updated', 'name'].map((sort) => `/leads?${filter}&sort=${sort}`),
        ...['updated', 'name'].map((sort) => `/leads?${filter}&sort=${sort}&offset=10000`),
        `/leads?${filter}&offset=15000`,
        `/leads?${filter}&offset=250000`,
      ]),
    ),
    ...searches.flatMap((search) => {
      const typed = `search=${encodeURIComponent(search)}`
      return get([`/leads?${typed}`, ...['updated', 'name'].map((sort) => `/leads?${typed}&sort=${sort}`)])
    }),
    ...['a', 'sh', 'asha', '98'].flatMap((search) =>
      get([
        `/leads?search=${search}&offset=1000`,
        `/leads?search=${search}&status=Won&sort=name`,
        `/leads?search=${search}&status=Won&sort=updated&offset=1000`,
        `/leads?search=${search}&assigned_to=${email}`,
        `/leads?search=${search}&from_date=${dayBefore(30)}`,
      ]),
    ),
    ...get(['/leads.csv', `/leads.csv?${ever}`, `/leads.csv?${ever}&status=Won&assigned_to=${email}`]),
    ...get(['/leads.csv?search=a', '/leads.csv?search=asha', '/leads.csv?search=zzzz', '/leads.csv?search=98']),
  ]
}

function callPages({ lead }: Ids, { email }: { email: string }): Page[] {
  const filters = [
    '',
    '&call_type=Inbound',
    '&outcome=Completed',
    '&outcome=Voicemail',
    '&missed=true',
    '&unreturned=true',
    `&called_by=${email}`,
    '&called_by=unknown',
    '&source=Website',
    '&source=99acres',
    '&source=Nowhere',
  ]
  const searches = ['a', 'as', 'sh', 'asha', 'asha k', '98', '1234', 'a@', 'pune', 'property', 'shah enterprises']
  const together = `called_by=${email}&source=Website&outcome=Completed&call_type=Outbound`
  return [
    ...get(['/calls', '/calls?missed=true', '/calls?unreturned=true', `/calls?lead_id=${lead}`]),
    ...['', ...filters, `&assigned_to=${email}`, '&assigned_to=nobody', `&${together}`].flatMap((filter) =>
      get([`/calls/totals?${ever}${filter}`, `/calls.csv?${ever}${filter}`]),
    ),
    ...searches.flatMap((search) => {
      const typed = `search=${encodeURIComponent(search)}`
      return get([`/calls?${typed}`, `/calls/totals?${typed}`, `/calls?${typed}&${together}`])
    }),
    ...get([`/calls.csv?search=asha`, `/calls?${ever}&${together}`]),
    ...filters.flatMap((filter) =>
      get([
        ...['', '&offset=3000', '&offset=90000'].map((offset) => `/calls?${ever}${filter}${offset}`),
        `/calls?${ever}${filter}&assigned_to=${email}`,
      ]),
    ),
    ...get([
      `/calls?${ever}&assigned_to=nobody`,
      `/calls?${ever}&assigned_to=nobody&missed=true`,
      `/calls?${ever}&assigned_to=nobody@example.com`,
      `/calls?from_date=${dayBefore(60)}&to_date=${dayBefore(50)}`,
    ]),
  ]
}

const overviews = get([1, 30, 90, 366].map((days) => `/overview?days=${days}`))

const reports = get(
  [7, 30, 90, 365].flatMap((days) =>
    ['', '&source=Website', '&team=north'].flatMap((filter) =>
      ['users', 'sources'].map((by) => `/reports/${by}?from_date=${dayBefore(days)}${filter}`),
    ),
  ),
)

function adminPages({ busy, idle, rejected, oldDelivery, oldEntry, rarest }: Ids, { id }: { id: string }): Page[] {
  const mapping = [{ path: 'buyer.mobile', field: 'phone' }]
  return [
    ...get(['/account', '/api-keys', '/webhooks', `/webhooks/${busy}`, `/webhooks/${idle}`]),
    ...[busy, idle].flatMap((webhook) =>
      get(
        ['', '?outcome=created', '?outcome=merged', '?outcome=rejected', `?before=${oldDelivery}`, '?limit=200'].map(
          (query) => `/webhooks/${webhook}/deliveries${query}`,
        ),
      ),
    ),
    ...get([`/webhooks/${busy}/deliveries?outcome=rejected&before=${oldDelivery}`]),
    ...get([`/deliveries/${rejected}`, `/deliveries/${rejected}/reading`]),
    { path: `/deliveries/${oldDelivery}/reading`, body: { mapping } },
    { path: `/webhooks/${busy}/dry-run`, body: { mapping } },
    ...get(['/distribution-rules', '/distribution-rules/assignments']),
    { path: '/distribution-rules/preview', body: { source: 'Website', city: 'Pune', webhook_id: busy } },
    ...get(
      [
        '',
        '?action=lead',
        '?action=lead.created',
        '?action=lead.merged',
        '?action=call_log',
        '?action=webhook',
        '?action=webhook.mapped',
        '?action=leads',
        '?action=lead.deleted',
        '?action=user',
        '?action=distribution_rule',
        '?action=account',
        '?action=nothing',
        '?action=nothing.done',
        '?limit=200',
        `?before=${oldEntry}`,
        ...[id, rarest].flatMap((user) =>
          ['', '&action=lead', '&action=lead.merged', '&action=webhook.mapped', '&action=user', '&action=nothing'].map(
            (action) => `?user_id=${user}${action}`,
          ),
        ),
        `?user_id=${rarest}&before=${oldEntry}`,
        `?action=webhook&before=${oldEntry}`,
        `?action=lead&before=${oldEntry}`,
        `?from_date=${dayBefore(60)}&to_date=${dayBefore(50)}`,
        `?to_date=${dayBefore(100)}`,
        `?from_date=${dayBefore(60)}&to_date=${dayBefore(50)}&action=user&user_id=${rarest}`,
        '?user_id=00000000-0000-4000-8000-000000000000',
      ].map((query) => `/audit${query}`),
    ),
  ]
}
