import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOf } from '#test/budget.ts'
import { recognisedFields as read } from '#test/recognised-fields.ts'

/**
 * Combinations of the names that senders give to the parts of calls, messages and records. A rule that was made for one
 * payload fails here in all others like it.
 */

type Entries = { [key: string]: unknown }

const lead = { name: 'Kavita Saraogi', email: 'kavita.s@example.com', phone: '+919876501234' }
const agent = { id: 51, name: 'Ravi Teja', email: 'ravi@ours.example.in', phone: '+919812345670' }
const line = '+918047001122'

const listed = (text: string) => text.trim().split(/\s+/)

/**
 * Each of the first with each of the second, and one after the other of the others; every third of them, unless the tests run
 * in full.
 */
function* combined<Values extends readonly (readonly unknown[])[]>(...lists: Values) {
  const [first = [], second = [], ...others] = lists
  let turn = 0
  for (const [row, one] of first.entries())
    for (const other of someOf(second, row)) {
      yield [one, other, ...others.map((list) => list[turn % list.length])] as {
        [At in keyof Values]: Values[At][number]
      }
      turn++
    }
}

/** Returns an object with the values at their paths: `sender.phone`, `contacts[].wa_id`. */
function placed(values: readonly (readonly [path: string, value: unknown])[]): Entries {
  const root: Entries = {}
  for (const [path, value] of values) {
    let level = root
    const steps = path.split('.')
    for (const [at, step] of steps.entries()) {
      const key = step.replace('[]', '')
      if (at === steps.length - 1) level[key] = value
      else {
        level[key] ??= step === key ? {} : [{}]
        const inner = level[key]
        level = (Array.isArray(inner) ? inner[0] : inner) as Entries
      }
    }
  }
  return root
}

/** Whether two of the paths cannot be in one object. */
const collide = (paths: readonly string[]) =>
  paths.some((one, at) => paths.some((other, place) => place !== at && `${other}.`.startsWith(`${one}.`)))

const sides =
  listed(`from|to caller|callee caller_number|called_number callerNumber|calledNumber CallFrom|CallTo From|To
  from_number|to_number source|destination src|dst source_number|destination_number caller_id_number|destination_number
  ani|dnis calling_number|called_number callingParty|calledParty calling_party_number|called_party_number a_number|b_number
  aNumber|bNumber a_party|b_party originator|recipient originating_number|terminating_number origin|destination
  originPhone|receiverPhone caller_phone|receiver_phone phone_from|phone_to call_from|call_to from_phone|to_phone
  caller|receiver caller|target caller_no|called_no callerId|dialedNumber caller_id|dialed_number
  fromPhoneNumber|toPhoneNumber from.number|to.number caller_num|callee_num callerNo|calleeNo call_source|call_destination
  caller_number|receiver_number caller_mobile|called_mobile`).map((pair) => pair.split('|') as [string, string])

const directions = [
  { direction: ['inbound', 'outbound'] },
  { direction: ['incoming', 'outgoing'] },
  { Direction: ['INBOUND', 'OUTBOUND'] },
  { direction: ['in', 'out'] },
  { direction: ['inbound', 'outbound-api'] },
  { call_direction: ['Incoming', 'Outgoing'] },
  { callDirection: ['inbound', 'outbound'] },
  { call_type: ['incoming', 'outgoing'] },
  { call_type: ['Inbound Call', 'Outbound Call'] },
  { callType: ['INCOMING', 'OUTGOING'] },
  { type: ['inbound', 'outbound'] },
  { type: ['incoming_call', 'outgoing_call'] },
  { mode: ['inbound', 'outbound'] },
  { event: ['incoming_call', 'outgoing_call'] },
  { event: ['call.inbound', 'call.outbound'] },
  { event: ['inbound_call_completed', 'outbound_call_completed'] },
  { event_type: ['INBOUND_CALL_ENDED', 'OUTBOUND_CALL_ENDED'] },
  { is_inbound: [true, false] },
  { isOutgoing: [false, true] },
].map((direction) => Object.entries(direction)[0] as [string, [unknown, unknown]])

test('of a call, the other side is the lead', () => {
  for (const [[from, to], [key, [incoming, outgoing]]] of combined(sides, directions))
    for (const isOutgoing of [false, true]) {
      const numbers = isOutgoing ? [line, lead.phone] : [lead.phone, line]
      const call = placed([
        [key, isOutgoing ? outgoing : incoming],
        [from, numbers[0]],
        [to, numbers[1]],
        ['duration', 64],
      ])
      for (const payload of [
        { call_id: 'c-81723', ...call, agent_name: agent.name, agent_number: agent.phone },
        { event_id: '77', data: { call: { id: 9, ...call, user: { name: agent.name, email: agent.email } } } },
      ])
        assert.equal(read(payload).phone, lead.phone, JSON.stringify(payload))
    }
})

test('of a call, the customer is the lead, and not an agent or a line', () => {
  const customers =
    listed(`customer_number customerNumber customer_no customer_phone CustomerPhone cust_num client_number clientNo
    lead_phone contact_number contactNumber mobile mobile_number phone phone_number phoneNumber msisdn customer.phone contact.number
    external_number remote_number visitor_phone`)
  const agents =
    listed(`agent_number agentNumber agent_phone AgentPhone user_number user_phone executive_number employee_mobile
    operator_number agent.phone user.mobile answered_by answered_agent_number forwarded_to connected_to extension_number
    executive.number counsellor_mobile rep_phone telecaller_number staff_number`)
  const lines =
    listed(`did did_number DID virtual_number virtualNumber display_number displayNumber business_number tracking_number
    company_number ivr_number toll_free_number pilot_number our_number line trunk masked_number exophone`)
  for (const [customer, other, ours, [key, words]] of combined(customers, agents, lines, directions))
    for (const isOutgoing of [0, 1] as const) {
      const values: [string, unknown][] = [
        [customer, lead.phone],
        [other, agent.phone],
        [ours, line],
      ]
      for (const order of [values, values.toReversed()]) {
        const payload = { call_id: 'x-1', [key]: words[isOutgoing], ...placed(order), call_status: 'answered' }
        assert.equal(read(payload).phone, lead.phone, JSON.stringify(payload))
      }
    }
})

test('of a message, the sender is the lead, and its text the notes', () => {
  const senders =
    listed(`from_number waId wa_id contact.phone contact.wa_id sender.phone from.phone customer.phone chatId chat.id
    remoteJid key.remoteJid phone phoneNumber mobile msisdn customer_number visitor.phone contact_number profile.phone mobile_number
    contacts[].wa_id subscriber.phone sender_number senderPhone WaId end_user.phone conversation.contact.phone customerPhone
    contact.phone_number`)
  const names =
    listed(`name sender_name senderName pushName pushname notifyName contact.name sender.name profile.name customer.name
    from_name ProfileName contacts[].profile.name displayName contact_name visitor.name customerName profileName fullName
    whatsapp_name subscriber.name conversation.contact.name`)
  const texts =
    listed(`text body message content message.text text.body message.body message.content message.text.body payload.text
    Body data.text message_text messageText payload.payload.text message.conversation msg messages[].text.body msg_body
    content.text message.content.text userMessage textMessage message_body incoming_message payload.body user_message`)
  const lines =
    listed(`to recipient receiver business_number channel.phone instance session.phone destination account.phone me.id
    waba_number bot.phone integrated_number channel_number metadata.display_phone_number to_number our_number inbox.phone_number
    device.phone company_number receiver_number recipient_id`)
  const agents = ['agent', 'assignee', 'operator', 'assigned_user']
  const text = 'Hi, is the 2 BHK in Baner still available?'
  const numberIn = (key: string, number: string) =>
    /jid|chat/i.test(key) ? `${number.slice(1)}@s.whatsapp.net` : number
  for (const [sender, name, body, ours, other] of [
    ...combined(senders, names, texts, lines, agents),
    ...[...combined(senders, texts, names, lines, agents)].map(([a, b, c, d, e]) => [a, c, b, d, e] as const),
    ...[...combined(senders, lines, names, texts, agents)].map(([a, b, c, d, e]) => [a, c, d, b, e] as const),
  ]) {
    if (collide([sender, name, body, ours, other])) continue
    const message = placed([
      [sender, numberIn(sender, lead.phone)],
      [name, lead.name],
      [body, text],
      [ours, numberIn(sender, line)],
      [other, { id: agent.id, name: agent.name }],
      ['messageId', 'wamid.HBgM2306'],
      ['messageType', 'text'],
    ])
    for (const payload of [message, { topic: 'message.received', data: message }]) {
      const { phone = '', name: found, notes } = read(payload)
      const expected = { name: lead.name, phone: lead.phone.slice(1), notes: text }
      assert.deepEqual({ name: found, phone: phone.replace(/\D/g, ''), notes }, expected, JSON.stringify(payload))
    }
  }
})

test('of a record, the person is the lead, and not staff or a thing', () => {
  const persons =
    listed(`customer client lead contact data.customer payload.contact data.lead guest attendee invitee patient student
    applicant visitor buyer order.customer booking.customer appointment.client ticket.requester fields answers form_data formData
    body.lead record data.booking.guest prospect person subscriber enquirer customerDetails customer_details contactInfo billing_details
    primaryContact reservation.guest data.patient deal.contact candidate payload.invitee order.billing_address payment.customer
    traveller renter payer donor registrant`)
  const staff =
    listed(`agent assigned_to assignee host owner staff provider seller organizer sales_rep technician doctor created_by
    account_manager counsellor consultant employee practitioner advisor operator updated_by broker vendor merchant practice branch
    instructor receptionist rep closer relationship_manager telecaller property_manager salesperson coach clinic hotel restaurant
    dealer franchise shop workspace publisher builder`)
  const things =
    listed(`product service event_type property form campaign venue course package plan room vehicle listing class item
    ticket_type offer department pipeline stage webinar treatment program unit menu template workflow calendar category brand tour`)
  const events = listed('booking appointment ticket deal reservation enquiry request job opportunity case visit quote')
  const notes =
    listed(`message notes note comment comments remarks remark requirement requirements query enquiry special_requests
    specialInstructions special_instructions customer_note customer_message additional_info feedback customer_notes memo observations
    instructions booking_notes enquiry_details`)
  const text = 'Please call after 6 pm, I need a quote for two rooms'
  const places = (person: string, event: string) => [
    person,
    event,
    'details',
    'custom_fields',
    'metadata',
    'preferences',
    'additional_info',
  ]
  let turn = 0
  for (const [person, other, thing, event, note] of [
    ...combined(persons, staff, things, events, notes),
    ...[...combined(persons, notes, staff, things, events)].map(([a, b, c, d, e]) => [a, c, d, e, b] as const),
  ]) {
    const place = places(person, event)[turn++ % 7]!
    if (collide([person, other, thing, event]) || person.split('.').includes(event)) continue
    const values: [string, unknown][] = [
      ...Object.entries(lead).map(([key, value]): [string, unknown] => [`${person}.${key}`, value]),
      [`${event}.id`, 7712],
      [`${event}.status`, 'confirmed'],
      [other, agent],
      [thing, { id: 88, name: 'Sunrise Heights', description: 'Our most popular choice for families', price: 4999 }],
      [`${place}.${note}`, text],
    ]
    for (const order of [values, values.toReversed()]) {
      const payload = placed(order)
      assert.deepEqual(read(payload), { ...lead, notes: text }, JSON.stringify(payload))
    }
  }
})
