import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { maxOwnNumbers } from '../../../telephony/phone-lines/own-numbers.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela } = await people(app)
const { owner } = app
const webhook = await webhookOf(app, acme)

let made = 0
const newCustomer = () => `+9198${70_000_000 + ++made}`
const newLine = () => `+9180471${10_000 + ++made}`

/** A call of a system that names no direction. */
const callOf = (from: string, to: string, more = {}) => ({
  call_id: `c${++made}`,
  from,
  to,
  status: 'answered',
  duration: 33,
  ...more,
})
/** A call that says its direction. */
const inbound = (from: string, to: string) => callOf(from, to, { direction: 'inbound' })
const leadOf = async (phone: string) => (await owner`select id from leads where phone_key = ${phone}`)[0]?.id
const typesOf = async (phone: string) =>
  (await owner`select call_type from call_logs where lead_id = ${await leadOf(phone)}`).map(
    ({ call_type }) => call_type,
  )
const lastDelivery = async () =>
  (
    await owner`select picks, outcome, error, attention from deliveries where webhook_id = ${webhook.id} order by received_at desc, id desc limit 1`
  )[0]!

async function newKnownLine() {
  const line = newLine()
  for (let at = 0; at < 3; at++) await webhook.send(inbound(newCustomer(), line))
  return line
}

test('a number that was the business’s in calls with three leads is no customer’s, and the delivery says so', async () => {
  const [line, called] = [await newKnownLine(), newCustomer()]
  await webhook.send(callOf(line, called))
  assert.deepEqual(await typesOf(called), ['Outbound'])
  assert.equal(await leadOf(line), undefined)
  const { picks } = await lastDelivery()
  const reasonOf = (wanted: string) => picks.find(({ field }: { field: string }) => field === wanted).reason
  assert.equal(reasonOf('phone'), 'The other number is one of your business in earlier calls')
  assert.equal(reasonOf('call_direction'), 'A number of your business in earlier calls')
})

test('calls that name no direction make a number known, too', async () => {
  const [line, called] = [newLine(), newCustomer()]
  for (let at = 0; at < 3; at++) await webhook.send(callOf(newCustomer(), line, { caller_name: 'Asha' }))
  await webhook.send(callOf(line, called))
  assert.deepEqual(await typesOf(called), ['Outbound'])
})

test('what is said counts before what is known', async () => {
  const line = await newKnownLine()
  await webhook.send(inbound(line, newLine()))
  assert.deepEqual(await typesOf(line), ['Inbound'])
  const other = await newKnownLine()
  await webhook.send({
    call_id: 'n1',
    customer_number: other,
    agent_number: newLine(),
    status: 'answered',
    duration: 3,
  })
  assert.notEqual(await leadOf(other), undefined)
})

test('neither one payload nor one customer makes a number known', async () => {
  const [ofBatch, ofOne] = [newLine(), newLine()]
  await webhook.send(Array.from({ length: 5 }, () => inbound(newCustomer(), ofBatch)))
  const customer = newCustomer()
  for (let at = 0; at < 5; at++) await webhook.send(inbound(customer, ofOne))
  const rows =
    await owner`select number, cardinality(lead_ids) as n from own_numbers where number in (${ofBatch}, ${ofOne})`
  assert.deepEqual([...rows], [{ number: ofOne, n: 1 }])
})

test('a contact of a lead is never the business’s', async () => {
  const line = await newKnownLine()
  await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: line })
  await webhook.send(callOf(line, newLine()))
  const { picks } = await lastDelivery()
  assert.ok(!picks.some(({ reason }: { reason: string }) => /earlier calls/.test(reason)))
  await owner`delete from own_numbers where number = ${line}`
  for (let at = 0; at < 3; at++) await webhook.send(inbound(newCustomer(), line))
  assert.equal((await owner`select from own_numbers where number = ${line}`).count, 0)
})

test('a user’s line is the business’s', async () => {
  const [line, called] = [newLine(), newCustomer()]
  await owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${acme.account_id}, ${line}, ${line}, ${bela.id}, now())`
  await webhook.send(callOf(line, called))
  assert.deepEqual(await typesOf(called), ['Outbound'])
})

test('a call between two known numbers is ignored and needs attention', async () => {
  const [one, other] = [await newKnownLine(), await newKnownLine()]
  const { body } = await webhook.send(callOf(one, other))
  assert.deepEqual(body.data, { id: null, status: 'ignored' })
  const { attention, error } = await lastDelivery()
  assert.equal(attention, true)
  assert.match(error, /All numbers of this call/)
})

test('the numbers of an account are bounded, and deleted with a person who has one', async () => {
  await owner`insert into own_numbers (account_id, number, lead_ids, seen_at)
    select ${acme.account_id}, '+1' || n, '{}', now() - interval '1 day' from generate_series(1, ${maxOwnNumbers}) as n`
  const line = await newKnownLine()
  const { n } = (await owner`select count(*)::integer as n from own_numbers where account_id = ${acme.account_id}`)[0]!
  assert.equal(n, maxOwnNumbers)
  const { id } = (await asha.send('POST', '/api/v1/leads', { name: 'Ravi', phone: line })).body.data
  await asha.send('DELETE', `/api/v1/leads/${id}`)
  assert.equal((await owner`select from own_numbers where number = ${line}`).count, 0)
})
