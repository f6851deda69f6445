import type { Pick } from '../../test/generated-payloads.ts'

/**
 * Events of calls and payloads that look like them, as systems would write them that the learner has not seen: each says the same things under
 * other names, in another form, with some left out.
 */

type Entries = Record<string, unknown>
type Random = () => number
type Made = { payload: Entries; isCall: boolean }

/** The words of names that stand for each other. */
const words: Record<string, string> = {
  customer: 'customer cust client lead contact party customer_no client_no grahak ग्राहक patient external remote',
  agent: 'agent agt exec staff employee emp user executive member owner karmchari एजेंट कर्मचारी counsellor operator',
  number: 'number no num phone mobile mob msisdn ph tel नंबर',
  line: 'line did dni dnis ddi virtual virtual_number our our_number company trunk vn business tracking',
  from: 'from caller cli src source a_number calling clid ani callerid clr caller_id who originator',
  to: 'to called callee dst dest destination b_number cld dialled dialed receiver target',
  direction: 'direction dir way mode flow type call_type in_out leg leg_type kind प्रकार prakar disha दिशा d',
  status:
    'status stat state result outcome disposition disp final_status call_status answer_status स्थिति sthiti natija',
  start:
    'start st started start_time st_time begin t_init init setup_time call_start date at shuru शुरू ts timestamp when rang_at orig_time',
  answer: 'answer ans answered_at answer_time conn_time connect picked_at pickup_time t_ans ans_tm connected_at uthaya',
  end: 'end et ended end_time finish disc_time t_end hangup_time ended_at khatam खत्म release_time end_tm stop',
  duration: 'duration dur secs sec length call_duration total_duration seconds total_time avadhi अवधि',
  talk: 'talk talk_time bill_sec billsec bsec talk_secs conversation talked talk_duration spoken_seconds baat_ka_samay बात_का_समय talktime',
  recording: 'recording rec audio rec_url recording_url file voice_file rec_link recordingfile',
  id: 'call_id uuid uniqueid callid sid session_id cdr_id ucid ref call_ref log_id',
  hangup: 'hangup_by hup_by hangup_cause ended_by disconnected_by end_reason release_cause dest_cause q850',
  note: 'remark remarks note notes comment summary',
  name: 'name full_name naam नाम contact_name person',
}

const listOf = (text: string) => text.trim().split(/\s+/)
const lists = Object.fromEntries(Object.entries(words).map(([word, list]) => [word, listOf(list)]))

const values = {
  inbound: 'inbound incoming in IN Inbound INCOMING Incoming IB inbound_call aane_wali आने_वाली इनकमिंग missed MISSED',
  outbound:
    'outbound outgoing out OUT Outbound OUTGOING Outgoing OB outbound-api dialled jaane_wali जाने_वाली आउटगोइंग click2call',
  ended: `answered ANSWERED Answered completed Completed connected Connected talked ANS attended no-answer NOANSWER not_answered busy BUSY missed
    Missed MISSED abandoned failed cancelled rejected NO_ANSWER unattended switched_off voicemail user_busy hangup ended picked spoke`,
  events: `call.completed call.ended call_hangup hangup call.answered call.missed CALL_ENDED cdr call-finished onCallEnd missed_call incoming_call
    call.ringing call_log answered outbound_call call.initiated CallDisconnected phone.call voice_call`,
  causes: 'agent customer cust CLI NORMAL_CLEARING USER_BUSY 16 17 19 caller NO_ANSWER system',
}

/** Returns events of calls, and as many payloads that are none. */
export function generatedCalls(count: number, random: Random): Made[] {
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]!
  return Array.from({ length: count }, (_, at) => {
    const isCall = at % 2 === 0
    const written = (isCall ? callWith : pick(others))(new Writer(pick, random))
    return { payload: wrapped(written, pick), isCall }
  })
}

/** Writes names in one spelling and values in one format, as one system does. */
class Writer {
  readonly pick: Pick
  readonly random: Random
  readonly #spell: (name: string) => string
  readonly #time: (at: Date) => unknown
  readonly #length: (seconds: number) => unknown
  readonly #phone: () => string
  readonly #prefix: string

  constructor(pick: Pick, random: Random) {
    this.pick = pick
    this.random = random
    this.#spell = pick(spellings)
    this.#time = pick(times)
    this.#length = pick(lengths)
    const phone = pick(phones)
    this.#phone = () => phone(String(6_000_000_000 + Math.floor(random() * 3_999_999_999)))
    this.#prefix = random() < 0.15 ? 'call_' : ''
  }

  chance = (share: number) => this.random() < share
  name = (...parts: string[]) =>
    this.#spell(this.#prefix + parts.map((part) => (lists[part] ? this.pick(lists[part]) : part)).join('_'))
  phone = () => this.#phone()
  time = () => this.#time(new Date(1.79e12 + Math.floor(this.random() * 4e10)))
  length = () => this.#length(this.chance(0.3) ? 0 : Math.floor(this.random() * 600))
  said = (list: keyof typeof values) => this.pick(listOf(values[list])).replaceAll('_', this.chance(0.5) ? ' ' : '_')
  person = () => this.pick(people)
}

const people = 'Ritu Imran Meera Sandeep Gopal Anita Dev Kavya Rohit Prachi Nilesh Fatima Joseph'.split(' ')

/** An event has the number of somebody, and enough else to be known as that of a call. */
function callWith(write: Writer): Entries {
  const { name, phone, time, length, said, chance, person } = write
  const entries: [string, unknown][] = []
  const add = (share: number, key: () => string, value: () => unknown) => {
    if (chance(share)) entries.push([key(), value()])
  }
  if (chance(0.5)) {
    const isBare = chance(0.5)
    add(0.95, () => name('from', ...(isBare ? [] : ['number'])), phone)
    add(0.9, () => name('to', ...(isBare ? [] : ['number'])), phone)
  } else {
    const isBare = chance(0.25)
    add(0.97, () => name('customer', ...(isBare ? [] : ['number'])), phone)
    add(0.6, () => name('agent', ...(chance(0.2) ? [] : ['number'])), phone)
    add(0.4, () => name('line', ...(chance(0.5) ? [] : ['number'])), phone)
  }
  add(
    0.7,
    () => name('direction'),
    () => (chance(0.5) ? said('inbound') : said('outbound')),
  )
  add(
    0.7,
    () => name('status'),
    () => said('ended'),
  )
  add(0.8, () => name('start'), time)
  add(
    0.3,
    () => name('answer'),
    () => (chance(0.3) ? '' : time()),
  )
  add(0.4, () => name('end'), time)
  add(0.5, () => name('duration'), length)
  add(0.5, () => name('talk'), length)
  add(
    0.3,
    () => name('recording'),
    () => `https://rec.example.com/${Math.floor(write.random() * 1e6)}.${write.pick(['mp3', 'wav', 'ogg'])}`,
  )
  add(
    0.35,
    () => name('id'),
    () => `c${Math.floor(write.random() * 1e9)}-${Math.floor(write.random() * 1e4)}`,
  )
  add(
    0.25,
    () => name('hangup'),
    () => said('causes'),
  )
  add(0.2, () => name('agent', 'name'), person)
  add(0.2, () => name('customer', 'name'), person)
  add(
    0.15,
    () => name('note'),
    () => 'Wants a site visit on Sunday',
  )
  add(
    0.25,
    () => write.pick(['event', 'type', 'event_type', 'action']),
    () => said('events'),
  )
  if (chance(0.25)) for (const [key, value] of Object.entries(beside(write))) entries.push([key, value])
  // What is left of too little is one of the least that is clear.
  if (entries.length < 4) {
    entries.push([name('direction'), said('outbound')], [name('customer', 'number'), phone()], [name('talk'), length()])
  }
  return Object.fromEntries(entries)
}

/** What systems add to anything. */
function beside(write: Writer): Entries {
  return few(write, 0.5, [
    ['account_id', () => `acc_${Math.floor(write.random() * 1e5)}`],
    ['tenant', () => 'lotus'],
    ['contact', () => ({ id: 7, name: write.person(), email: 'someone@example.com', city: 'Pune', tags: ['hot'] })],
    ['user_email', () => 'agent@example.com'],
    ['campaign_name', () => 'Diwali offer'],
    ['circle', () => 'Karnataka'],
    ['provider', () => 'Airtel'],
    ['cost', () => '0.35'],
    ['currency', () => 'INR'],
    ['dtmf', () => write.pick(['1', '2', ''])],
    ['department', () => write.pick(['Sales', 'Support'])],
    ['custom_field_1', () => ''],
    ['utm_source', () => 'google'],
    ['landing_page', () => 'https://example.com/offer'],
    ['created_at', write.time],
    ['transcript', () => 'Hello, I am calling about the flat in Baner. Yes, please come on Sunday at four.'],
  ])
}

type Make = (write: Writer) => Entries
const few = (write: Writer, share: number, entries: [string, () => unknown][]): Entries =>
  Object.fromEntries(entries.flatMap(([key, value]) => (write.chance(share) ? [[key, value()]] : [])))
const text = (write: Writer) =>
  write.pick([
    'Please call me after 5',
    'Missed your call, call again',
    'Thanks for calling us',
    'Need a quote for 2BHK',
    'We tried to call you',
    'Send me the brochure',
  ])

/** Each has something that calls have, too. */
const others: Make[] = [
  // A lead, with what became of its calls.
  (write) => ({
    [write.name('name')]: write.person(),
    [write.name('customer', 'number')]: write.phone(),
    ...few(write, 0.5, [
      ['email', () => `${write.person().toLowerCase()}@example.com`],
      ['city', () => write.pick(['Pune', 'Surat', 'Hubli'])],
      [
        write.pick(['preferred_call_time', 'best_time_to_call', 'callback_time', 'call_back_on']),
        () => write.pick(['Evening', '5-7 PM', write.time()]),
      ],
      [
        write.pick(['call_status', 'last_call_status', 'status', 'lead_status', 'stage']),
        () => write.pick(['Not called', 'Busy', 'Contacted', 'New', write.said('ended')]),
      ],
      ['last_call_date', write.time],
      [write.name('agent', 'name'), write.person],
      [
        write.pick(['source', 'lead_source']),
        () => write.pick(['Missed call campaign', 'Inbound', 'Website', 'Phone call', 'IVR']),
      ],
      ['message', () => text(write)],
      ['created_at', write.time],
      [write.pick(['call_attempts', 'call_count', 'budget']), () => write.pick(['3', '1', '12'])],
    ]),
  }),
  // A message, or what became of it.
  (write) => ({
    [write.pick(['event', 'type', 'channel'])]: write.pick([
      'sms.delivered',
      'message',
      'sms',
      'whatsapp',
      'message.received',
      'sms_inbound',
      'chat.message',
    ]),
    [write.pick(['from', 'sender', 'mobile', 'wa_id', 'msisdn'])]: write.phone(),
    [write.pick(['to', 'recipient', 'destination'])]: write.phone(),
    [write.pick(['text', 'body', 'message', 'content'])]: text(write),
    ...few(write, 0.5, [
      ['direction', () => write.pick(['inbound', 'outbound', 'incoming'])],
      ['status', () => write.pick(['received', 'delivered', 'DELIVRD', 'sent', 'read', 'failed'])],
      [write.name('start'), write.time],
      [write.pick(['message_id', 'sms_id', 'id']), () => `m${Math.floor(write.random() * 1e9)}`],
    ]),
  }),
  // A booking, a meeting or a task.
  (write) => ({
    [write.pick(['event', 'type', 'trigger'])]: write.pick([
      'booking.created',
      'invitee.created',
      'appointment',
      'task.reminder',
      'meeting.ended',
      'task',
      'call.scheduled',
      'callback.requested',
    ]),
    [write.pick(['title', 'subject', 'event_name'])]: write.pick([
      'Intro call',
      'Call back',
      '15 minute call',
      'Site visit',
      'Phone call with Dev',
    ]),
    [write.pick(['phone', 'contact_phone', 'attendee_phone', 'invitee_number'])]: write.phone(),
    ...few(write, 0.6, [
      ['name', write.person],
      ['email', () => `${write.person().toLowerCase()}@example.com`],
      [write.pick(['start_time', 'start', 'due', 'scheduled_at']), write.time],
      [write.pick(['end_time', 'end']), write.time],
      ['duration', () => write.pick([15, 30, 60])],
      ['status', () => write.pick(['active', 'accepted', 'pending', 'Not Started', 'completed'])],
      [write.pick(['host_phone', 'assigned_phone', 'owner_phone']), write.phone],
      [write.pick(['location', 'location_type']), () => write.pick(['outbound_call', 'phone', 'zoom'])],
    ]),
  }),
  // An order, a payment or a subscription.
  (write) => ({
    [write.pick(['order_id', 'payment_id', 'subscription_id', 'invoice'])]: `O-${Math.floor(write.random() * 1e6)}`,
    [write.pick(['customer_phone', 'mobile', 'phone', 'customer_number'])]: write.phone(),
    ...few(write, 0.6, [
      ['amount', () => write.pick(['4999', '250.00'])],
      [write.pick(['duration', 'validity']), () => write.pick(['90 days', '30', '12 months'])],
      [write.pick(['status', 'result']), () => write.pick(['completed', 'success', 'failed', 'cancelled'])],
      [write.pick(['start_date', 'start', 'date']), write.time],
      [write.pick(['end_date', 'end']), write.time],
      ['direction', () => 'in'],
      [write.name('customer', 'name'), write.person],
      [write.pick(['agent_number', 'delivery_number']), write.phone],
    ]),
  }),
  // An agent, a queue or a day of calls.
  (write) => ({
    [write.pick(['event', 'type', 'report'])]: write.pick([
      'agent_status',
      'agent.login',
      'daily_call_summary',
      'queue_stats',
      'agent_break',
      'campaign.finished',
    ]),
    [write.name('agent', 'name')]: write.person(),
    ...few(write, 0.6, [
      [write.name('agent', 'number'), write.phone],
      ['status', () => write.pick(['Available', 'On break', 'Logged in', 'offline', 'On call', 'busy'])],
      ['previous_status', () => write.pick(['On Call', 'Available', 'busy'])],
      [write.pick(['changed_at', 'since', 'date']), write.time],
      [write.pick(['login_duration', 'break_duration', 'average_duration', 'total_talk_time']), write.length],
      [write.pick(['inbound_calls', 'total_calls', 'answered']), () => write.pick([42, 118, 7])],
      [write.pick(['missed_calls', 'outbound_calls', 'abandoned']), () => write.pick([6, 131, 2])],
      ['campaign', () => 'Inbound Sales'],
      ['line', write.phone],
    ]),
  }),
]

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const spellings: ((name: string) => string)[] = [
  (name) => name,
  (name) => name,
  (name) =>
    name
      .split('_')
      .map((word, at) => (at === 0 ? word : capital(word)))
      .join(''),
  (name) => name.split('_').map(capital).join(''),
  (name) => name.split('_').map(capital).join(' '),
  (name) => name.replaceAll('_', '-'),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll('_', ''),
]

const two = (value: number) => String(value).padStart(2, '0')
const parts = (at: Date) =>
  [
    at.getUTCDate(),
    at.getUTCMonth() + 1,
    at.getUTCFullYear(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  ].map(two) as [string, string, string, string, string, string]
const times: ((at: Date) => unknown)[] = [
  (at) => at.toISOString().replace('.000', ''),
  (at) => at.toISOString().slice(0, 19).replace('T', ' '),
  (at) => at.getTime(),
  (at) => Math.floor(at.getTime() / 1000),
  (at) => `${at.toISOString().slice(0, 19)}+05:30`,
  (at) => {
    const [d, m, y, h, i, s] = parts(at)
    return `${d}/${m}/${y} ${h}:${i}:${s}`
  },
  (at) => {
    const [d, m, y, h, i] = parts(at)
    return `${d}-${m}-${y} ${h}:${i}`
  },
  (at) => {
    const [d, m, y, h, i, s] = parts(at)
    return `${y}${m}${d}${h}${i}${s}`
  },
  (at) => {
    const [d, , y, h, i] = parts(at)
    return `${d}-${at.toUTCString().slice(8, 11)}-${y} ${h}:${i}`
  },
]
const lengths: ((seconds: number) => unknown)[] = [
  (seconds) => seconds,
  (seconds) => String(seconds),
  (seconds) => `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`,
  (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`,
  (seconds) => `${Math.floor(seconds / 60)} min ${seconds % 60} sec`,
  (seconds) => `${seconds} sec`,
]
const phones: ((digits: string) => string)[] = [
  (digits) => digits,
  (digits) => digits,
  (digits) => `0${digits}`,
  (digits) => `91${digits}`,
  (digits) => `+91${digits}`,
  (digits) => `+91 ${digits.slice(0, 5)} ${digits.slice(5)}`,
  (digits) => `${digits.slice(0, 5)} ${digits.slice(5)}`,
]

function wrapped(payload: Entries, pick: Pick): Entries {
  return pick<(payload: Entries) => Entries>([
    (same) => same,
    (same) => same,
    (same) => same,
    (data) => ({ data }),
    (payload) => ({ token: 'wh_5', payload: JSON.stringify(payload) }),
    (item) => ({ records: [item] }),
    (data) => ({ event: pick(['hangup', 'created', 'update', 'event', 'webhook']), data }),
    (body) => ({ status: 'ok', body }),
    (log) => ({ account: 'acme', log }),
  ])(payload)
}
