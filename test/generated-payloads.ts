import type { Fields, JudgedField } from './labelled-payloads.ts'

/**
 * Calls, messages and records put together from the names that senders give to their parts, and single keys. Training uses
 * some of them, and tests read others.
 */

type Entries = { [key: string]: unknown }
export interface GeneratedPayload {
  /** What it is made of. */
  kind: 'call' | 'call with an agent' | 'message' | 'record' | 'form' | 'key'
  payload: Entries
  expected: Fields
}

/** A person of a payload. */
export interface Person {
  name: string
  email: string
  phone: string
}

/** Returns numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const listed = (text: string) => text.trim().split(/\s+/)

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
const chatLines =
  listed(`to recipient receiver business_number channel.phone instance session.phone destination account.phone me.id
    waba_number bot.phone integrated_number channel_number metadata.display_phone_number to_number our_number inbox.phone_number
    device.phone company_number receiver_number recipient_id`)
const chatAgents = ['agent', 'assignee', 'operator', 'assigned_user']
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

/** What each generated payload is filled with. */
interface Cast {
  lead: Person
  agent: Person
  line: string
  text: string
}

export type Pick = <Item>(list: readonly Item[]) => Item

/** Returns payloads of each kind, filled with people and texts of the lists. */
export function generatedPayloads(
  count: number,
  { people, texts, seed }: { people: readonly Person[]; texts: readonly string[]; seed: number },
): GeneratedPayload[] {
  const random = randomFrom(seed)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]!
  const kinds = [call, callWithAgent, message, record, form, form]
  return Array.from({ length: count }, (_, at) => {
    const [lead, agent] = [pick(people), pick(people)]
    return kinds[at % kinds.length]!({ lead, agent, line: pick(people).phone, text: pick(texts) }, pick)
  })
}

function call({ lead, agent, line }: Cast, pick: Pick): GeneratedPayload {
  const [from, to] = pick(sides)
  const [key, words] = pick(directions)
  const isOutgoing = pick([0, 1] as const)
  const numbers = isOutgoing ? [line, lead.phone] : [lead.phone, line]
  const values = placed([
    [key, words[isOutgoing]],
    [from, numbers[0]],
    [to, numbers[1]],
    ['duration', 64],
  ])
  const payload = pick([
    { call_id: 'c-81723', ...values, agent_name: agent.name, agent_number: agent.phone },
    { event_id: '77', data: { call: { id: 9, ...values, user: { name: agent.name, email: agent.email } } } },
  ])
  return { kind: 'call', payload, expected: { phone: lead.phone } }
}

function callWithAgent({ lead, agent, line }: Cast, pick: Pick): GeneratedPayload {
  const [key, words] = pick(directions)
  const values: [string, unknown][] = [
    [pick(customers), lead.phone],
    [pick(agents), agent.phone],
    [pick(lines), line],
  ]
  const order = pick([values, values.toReversed()])
  const payload = { call_id: 'x-1', [key]: words[pick([0, 1])], ...placed(order), call_status: 'answered' }
  return { kind: 'call with an agent', payload, expected: { phone: lead.phone } }
}

function message(cast: Cast, pick: Pick): GeneratedPayload {
  const { lead, agent, line, text } = cast
  const parts = [pick(senders), pick(names), pick(texts), pick(chatLines), pick(chatAgents)] as const
  if (collide(parts)) return message(cast, pick)
  const [sender, name, body, ours, other] = parts
  const digits = (number: string) => number.replace(/\D/g, '')
  const numberIn = (place: string, number: string) =>
    /jid|chat/i.test(place) ? `${digits(number)}@s.whatsapp.net` : number
  const values = placed([
    [sender, numberIn(sender, lead.phone)],
    [name, lead.name],
    [body, text],
    [ours, numberIn(ours, line)],
    [other, { id: 51, name: agent.name }],
    ['messageId', 'wamid.HBgM2306'],
    ['messageType', 'text'],
  ])
  const payload = pick([values, { topic: 'message.received', data: values }])
  return { kind: 'message', payload, expected: { name: lead.name, phone: lead.phone, notes: text } }
}

function record(cast: Cast, pick: Pick): GeneratedPayload {
  const { lead, agent, text } = cast
  const [person, event] = [pick(persons), pick(events)]
  const [other, thing] = [pick(staff), pick(things)]
  const place = pick([person, event, 'details', 'custom_fields', 'metadata', 'preferences', 'additional_info'])
  if (collide([person, other, thing, event]) || person.split('.').includes(event)) return record(cast, pick)
  const values: [string, unknown][] = [
    ...Object.entries(lead).map(([key, value]): [string, unknown] => [`${person}.${key}`, value]),
    [`${event}.id`, 7712],
    [`${event}.status`, 'confirmed'],
    [other, { id: 51, ...agent }],
    [thing, { id: 88, name: 'Sunrise Heights', description: 'Our most popular choice for families', price: 4999 }],
    [`${place}.${pick(notes)}`, text],
  ]
  return { kind: 'record', payload: placed(pick([values, values.toReversed()])), expected: { ...lead, notes: text } }
}

const partsOfName =
  listed(`first_name|last_name firstName|lastName FirstName|LastName fname|lname FNAME|LNAME given_name|family_name
  givenName|familyName name[first]|name[last] forename|surname first|last vorname|nachname vorname|name vorname|name vorname|name prenom|nom nombre|apellido
  name|surname name|surname name|surname customer_first_name|customer_last_name f_name|l_name`).map(
    (both) => both.split('|') as [string, string],
  )

/** Surnames that are words for nothing, too, among others. */
const lastNames = listed('Null None Na Nan Nil True True Rao Sharma Iyer D’Souza Khan Patel Fernandes Bose Reddy Li')
const shortTexts = [
  'Call me',
  'Hello',
  'Interested',
  'price?',
  'Need details',
  '1.5 L',
  'कृपया कॉल करें',
  'Demo',
  'Callback please',
]

const formKeys: Record<JudgedField, readonly string[]> = {
  name: listed('name name name full_name your-name Name contact_name naam'),
  email: listed('email email email your-email Email email_address e-mail'),
  phone: listed('phone phone phone mobile Phone mobile_number contact_number your-phone whatsapp_number'),
  company: listed('company company company_name organisation business'),
  city: listed('city city City town'),
  source: listed('source source lead_source utm_source'),
  notes: listed('notes notes message message your-message comments query'),
}
const spareKeys: [key: string, value: unknown][] = [
  ['form_id', '1182'],
  ['campaign_name', 'Diwali Offer'],
  ['page', 'https://example.com/contact'],
  ['submitted_at', '2026-11-20T10:00:00+05:30'],
  ['budget', '50 lakh'],
  ['consent', 'yes'],
  ['ip', '203.0.113.9'],
  ['form_name', 'Contact form'],
  ['product', 'Teak bed'],
  ['pincode', '411001'],
]

/** A flat form with some of the fields, in any order, beside what forms add; some without a contact. */
function form({ lead, text }: Cast, pick: Pick): GeneratedPayload {
  const isIn = () => pick([true, false])
  const expected: Fields = {}
  const entries: [string, unknown][] = []
  const put = (field: JudgedField, value: string) => {
    expected[field] = value
    entries.push([pick(formKeys[field]), value])
  }
  const hasContact = pick([true, true, true, true, true, true, true, false])
  if (hasContact && isIn()) put('email', lead.email)
  if (hasContact && (isIn() || expected.email === undefined)) put('phone', lead.phone)
  const nameKind = pick(['whole', 'whole', 'parts', 'none'])
  if (nameKind === 'whole')
    put('name', pick([lead.name, lead.name, lead.name, lead.name.split(' ')[0]!, withSigns(lead.name, pick)]))
  if (nameKind === 'parts') {
    const [firstKey, lastKey] = pick(partsOfName)
    const [first, last] = [lead.name.split(' ')[0]!, pick(lastNames)]
    expected.name = `${first} ${last}`
    // Some put the whole name into the first field.
    entries.push([firstKey, pick([first, first, first, first, first, `${first} ${last}`])], [lastKey, last])
  }
  if (isIn() && isIn()) put('company', pick(values.company))
  if (isIn() && isIn()) put('city', pick(values.city))
  if (isIn() && isIn()) put('source', pick(values.source))
  if (isIn()) put('notes', isIn() ? text : pick(shortTexts))
  for (let spare = pick([0, 0, 1, 3]); spare > 0; spare--) entries.push(pick(spareKeys))
  const order = entries.map((entry) => ({ entry, place: pick(places) })).sort((one, other) => one.place - other.place)
  const flat = Object.fromEntries(order.map(({ entry }) => entry))
  const event = pick(['form.submitted', 'lead.created', 'new_lead', 'submission'])
  const shapes: Entries[] = [
    flat,
    flat,
    flat,
    { data: flat },
    { fields: flat },
    { event, ...flat },
    { event, data: flat },
  ]
  const { source } = expected
  const key = Object.keys(flat).find((one) => flat[one] === source)
  if (source !== undefined && key !== undefined) {
    const { [key]: _, ...others } = flat
    shapes.push({ [key]: source, lead: others }, { [key]: source, leads: [others] })
  }
  return { kind: 'form', payload: pick(shapes), expected }
}

/** A name with signs and digits, as people type it. */
function withSigns(name: string, pick: Pick): string {
  const [first = '', ...others] = name.split(' ')
  const signs = Array.from({ length: pick([1, 1, 2, 3, 5]) }, () => pick([...'&!?|#@{}<>0123456789"\'.,-/()']))
  return [first, pick(['', ' ']) + signs.join(''), pick(lastNames), ...others.slice(0, 1)]
    .join(' ')
    .replace(/\s+/g, ' ')
}

const places = Array.from({ length: 1000 }, (_, at) => at)

const ours = listed(`store account team business location outlet company_info workspace sender_account office firm
  contact_owner lead_owner deal_owner account_owner owner assigned_user sales_owner record_owner ownerDetails assignedTo`)

/** Returns a record of the business beside a lead, nested or flat: an agent, a store, an order. */
export function strangerRecord(person: Person, pick: Pick): Entries {
  const role = pick(pick([staff, ours]))
  const city = pick(values.city)
  const number = pick(['9876543210', '9123456780', '18001234567', 9_811_223_344])
  return pick([
    { [role]: { id: 4, ...person, city } },
    { [role]: { name: person.name, email: person.email, phone: person.phone } },
    { [role]: { id: 'a7', display_name: person.name, address: '1 MG Road', city } },
    { [role]: person.name, [`${role}_email`]: person.email, [`${role}_phone`]: person.phone },
    { [`${role}_name`]: person.name, [`${role}_number`]: person.phone },
    { order_id: number, invoice_no: String(number), amount: 4999, pincode: '411001' },
    {
      order: {
        id: number,
        number: String(number),
        items: [{ name: 'Teak bed', description: 'Queen size with storage' }],
      },
    },
    { [pick(things)]: { id: 88, name: 'Sunrise Heights', city, description: 'Our most popular choice for families' } },
  ])
}

/** Keys and questions as senders write them; parents are joined by dots. */
export type KeyNames = Record<JudgedField, string[]> & { notTheLeads: Record<string, string> }

const values: Record<Exclude<JudgedField, 'name' | 'email' | 'phone' | 'notes'>, readonly string[]> = {
  company: [
    'Sharma Traders',
    'Blue Lotus Interiors',
    'Patel & Sons',
    'Infinity Labs Pvt Ltd',
    'Kaveri Textiles',
    'Greenleaf',
  ],
  city: ['Pune', 'Jaipur', 'Kochi', 'Navi Mumbai', 'Indore', 'Madurai', 'Baramati', 'Alwar'],
  source: ['Facebook', 'Google', 'A friend', 'Instagram', 'JustDial', 'Newspaper', 'Website', 'Walk-in'],
}

/** Returns a small payload for each key: its value beside a contact. */
export function keyPayloads(
  { notTheLeads, ...fields }: KeyNames,
  { people, texts }: { people: readonly Person[]; texts: readonly string[] },
): GeneratedPayload[] {
  let turn = 0
  const next = <Item>(list: readonly Item[]) => list[turn++ % list.length]!
  const leads = (Object.keys(fields) as JudgedField[]).flatMap((field) =>
    fields[field].map((path): GeneratedPayload => {
      const person = next(people)
      const ofPerson = field === 'name' || field === 'email' || field === 'phone'
      const value = ofPerson ? person[field] : field === 'notes' ? next(texts) : next(values[field])
      const beside = field === 'phone' ? 'email' : 'phone'
      const payload = recordOf(path, { [path]: value, [beside]: person[beside] })
      return { kind: 'key', payload, expected: { [field]: value, [beside]: person[beside] } }
    }),
  )
  const others = Object.entries(notTheLeads).map(([path, value]): GeneratedPayload => {
    const { name, email, phone } = next(people)
    return {
      kind: 'key',
      payload: { ...recordOf(path, { [path]: value }), name, email, phone },
      expected: { name, email, phone },
    }
  })
  return [...leads, ...others]
}

/** Puts values into the record that the path of the first is in. */
function recordOf(path: string, entries: Record<string, string>): Entries {
  const isQuestion = /\s/.test(path)
  const parents = isQuestion ? [] : path.split('.').slice(0, -1)
  const own = Object.entries(entries).map(([key, value]) => [
    key === path && !isQuestion ? key.split('.').at(-1)! : key,
    value,
  ])
  return parents.reduceRight<Entries>((inner, parent) => ({ [parent]: inner }), Object.fromEntries(own))
}
