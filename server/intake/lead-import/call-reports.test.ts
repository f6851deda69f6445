import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { asha, bela } = await people(app)
const admin = await signedIn(app, asha)

async function imported(file: string, query = '') {
  const { status, body } = await admin.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })
  assert.equal(status, 200, JSON.stringify(body))
  if (query.includes('dry_run')) return body.data
  const news = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { ...news.at(-1), reasons: news.filter(({ type }) => type === 'rejected').map(({ reason }) => reason) }
}
const calls = () => app.owner`
  select phone, leads.name, call_type, outcome, duration_seconds, called_at, call_logs.notes from call_logs join leads on leads.id = lead_id
  order by called_at`

test('of a report with both numbers, the customer is found by the direction, an extension or the own lines', async () => {
  const line = '+912248931234'
  await app.owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${asha.actor.account_id}, ${line}, ${line}, ${bela.id}, now())`
  const report = `calldate,src,dst,dcontext,duration,billsec,disposition
2026-04-01 10:00:00,9820011201,201,from-trunk,65,50,ANSWERED
2026-04-01 11:00:00,201,09820011202,from-internal,20,0,NO ANSWER
2026-04-01 12:00:00,9820011203,${line},ext-queues,30,10,ANSWERED
2026-04-01 13:00:00,${line},9820011204,ext-queues,30,0,BUSY
2026-04-01 14:00:00,201,202,from-internal,30,20,ANSWERED
2026-04-01 15:00:00,anonymous,201,from-trunk,30,20,ANSWERED
`
  const { created, calls: added, rejected, reasons } = await imported(report)
  assert.deepEqual([created, added, rejected], [4, 4, 2])
  assert.match(reasons[0], /^Neither the direction nor your phone lines/)
  assert.equal(reasons[1], 'The caller’s number is withheld.')
  assert.deepEqual(
    (await calls()).map(({ phone, call_type, outcome, duration_seconds }) => [
      phone,
      call_type,
      outcome,
      duration_seconds,
    ]),
    [
      ['9820011201', 'Inbound', 'Completed', 50],
      ['09820011202', 'Outbound', 'No Answer', 0],
      ['9820011203', 'Inbound', 'Completed', 10],
      ['9820011204', 'Outbound', 'Busy', 0],
    ],
  )
  const log = `Name,Number,Type,Date,Time,Duration
Asha,9820011205,Incoming,02/04/2026,10:00 AM,65
Office,${line},Outgoing,02/04/2026,11:00 AM,5
,9820011206,Missed,02/04/2026,12:00,0
`
  const done = await imported(log)
  assert.deepEqual([done.created, done.calls, done.rejected], [2, 2, 1])
  assert.match(done.reasons[0], /is a line of your business/)
  const [, , , , first, second] = await calls()
  assert.deepEqual(
    [first!.called_at.toISOString(), first!.name, second!.called_at.toISOString(), second!.name, second!.outcome],
    ['2026-04-02T04:30:00.000Z', 'Asha', '2026-04-02T06:30:00.000Z', 'Caller +91 98200 11206', 'Missed'],
  )
  await assertCountsHold(app.owner)
})

test('a date and its time of day are one, and call again and lost reason are kept', async () => {
  await imported(`Name,Phone,Date of Lead,Time of Lead,Status,Lost Reason,Next Follow Up
One,9820011211,03/04/2025,10:30,New,,31/12/2027 11:00
Two,9820011212,03/04/2025,11:30 PM,Lost,too expensive,01/01/2025
Three,9820011213,03/04/2025,,Lost,Moved away,
Four,9820011214,,12:00,New,Too expensive,soon
`)
  const leads = await app.owner`
    select name, created_at::text, call_again_at::text, remind_at::text, lost_reason, (
      select jsonb_object_agg(one->>'question', one->>'answer') from enquiries, jsonb_array_elements(answers) as one where lead_id = leads.id
    ) as answers from leads where phone like '982001121%' order by phone`
  assert.deepEqual(
    leads
      .map(({ name, created_at, call_again_at, remind_at, lost_reason, answers }) => [
        name,
        created_at.slice(0, 19),
        call_again_at?.slice(0, 16),
        remind_at?.slice(0, 16),
        lost_reason,
        answers,
      ])
      .slice(0, 3),
    [
      ['One', '2025-04-03 05:00:00', '2027-12-31 05:30', '2027-12-31 05:30', null, null],
      ['Two', '2025-04-03 18:00:00', undefined, undefined, 'Too expensive', null],
      ['Three', '2025-04-02 18:30:00', undefined, undefined, null, { 'Lost Reason': 'Moved away' }],
    ],
  )
  assert.deepEqual(leads[3]!.answers, {
    'Time of Lead': '12:00',
    'Lost Reason': 'Too expensive',
    'Next Follow Up': 'soon',
  })
})

test('a test lead of Meta is none, and several contacts in a cell of Google are all kept', async () => {
  const meta = `id,created_time,full_name,phone_number,email
l:1,2026-04-01T10:00:00+05:30,<test lead: dummy data for full_name>,<test lead: dummy data for phone_number>,test@meta.com
l:2,2026-04-01T10:00:00+05:30,Ravi,p:+919820011221,ravi@example.com
`
  const { created, reasons } = await imported(meta)
  assert.deepEqual([created, reasons], [1, ['It is a test lead of the platform.']])
  await imported(`First Name,Middle Name,Last Name,Labels,E-mail 1 - Value,Phone 1 - Value,Phone 2 - Value
Asha,Kumari,Rao,* myContacts ::: Clients,a@example.com ::: b@example.com,98200 11222 ::: 98200 11223,022 2673 1234
`)
  const [lead] = await app.owner`
    select name, phone, email, tags, (select array_agg(value order by value) from lead_contacts where lead_id = leads.id) as others
    from leads where name like 'Asha K%'`
  assert.deepEqual(lead, {
    name: 'Asha Kumari Rao',
    phone: '98200 11222',
    email: 'a@example.com',
    tags: ['Clients'],
    others: ['022 2673 1234', '98200 11223', 'b@example.com'],
  })
})
