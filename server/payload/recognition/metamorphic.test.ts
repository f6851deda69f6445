import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownPayloads as samples } from '#test/labelled-payloads.ts'
import { leavesOf } from './leaves.ts'
import { recognise } from './recognise.ts'

type Entries = Record<string, unknown>
type Change = (payload: Entries) => unknown

const read = (payload: unknown) => {
  const { found } = recognise(leavesOf(payload), 'IN')
  return Object.fromEntries(found.map(({ field, value }) => [field, value]))
}

/** What is read from each payload as it is. */
const leads = new Map(samples.map(({ platform, payload }) => [platform, read(payload)]))

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rekeyed(value: unknown, spell: (words: string[]) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rekeyed(item, spell))
  if (!isEntries(value)) return value
  const isName = (key: string) => /^[a-z][\w -]*$/i.test(key) && !/^[\da-f-]{16,}$/i.test(key)
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, inner]) => [isName(key) ? spell(wordsOf(key)) : key, rekeyed(inner, spell)]),
  )
}

function wordsOf(key: string): string[] {
  const apart = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return apart.split(/[ _-]+/).filter((word) => word !== '')
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isEntries(value)) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]))
}

/** The payload as a list of names and values; undefined for one that is nested. */
function listed(payload: Entries, name: string, value: string): unknown {
  const entries = Object.entries(payload)
  if (entries.some(([, inner]) => typeof inner === 'object' && inner !== null)) return undefined
  return { entries: entries.map(([key, inner]) => ({ [name]: key, [value]: inner })) }
}

function asText(payload: Entries): Entries {
  const text = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, text(value)]))
}

/** Answers found by ids that the change respells on one side only. */
const joinedByKey = ['wufoo', 'wufoo_field_structure']
/** Keys that are not the names of anything. */
const withoutNames = [
  ...joinedByKey,
  'botwizard_lead',
  'gravity_forms_entry',
  'gravity_entry_ids',
  'gravity_single_inputs',
  'microsoft_forms_power_automate',
  'microsoft_forms_ids',
  'kommo_amo_form',
  'caldera_entry',
  '123formbuilder_notify',
  'bricks_form_action',
  'formassembly_tfa',
  'elementor_simple_ids',
  'flex_task_attributes',
]

const changes: [title: string, change: Change, except: string[]][] = [
  ['keys in camelCase', (payload) => rekeyed(payload, camel), joinedByKey],
  ['keys in snake_case', (payload) => rekeyed(payload, (words) => words.join('_').toLowerCase()), joinedByKey],
  ['keys in kebab-case', (payload) => rekeyed(payload, (words) => words.join('-').toLowerCase()), joinedByKey],
  ['keys in Words', (payload) => rekeyed(payload, (words) => words.map(capital).join(' ')), []],
  // City and its state, both under CITY, are one more thing to choose from.
  [
    'keys in CAPITALS',
    (payload) => rekeyed(payload, (words) => words.join('_').toUpperCase()),
    [...joinedByKey, 'gohighlevel_custom_data'],
  ],
  ['an envelope of data', (payload) => ({ data: payload }), []],
  // Without a contact, the texts of an event are not read.
  [
    'an event and its payload',
    (payload) => ({ event: 'lead.created', payload }),
    ['sendinblue_sms_reply', 'korean_mold_process', 'massage_home_booking'],
  ],
  ['a body beside headers', (payload) => ({ headers: { host: 'hooks.example.com' }, body: payload }), []],
  ['a list of one', (payload) => [payload], []],
  [
    'a result within a result',
    (payload) => ({ success: true, result: { record: payload } }),
    ['woocommerce_order', 'masked_student_record', 'shop_review_created'],
  ],
  ['JSON in a text', (payload) => ({ payload: JSON.stringify(payload) }), []],
  ['nested values as JSON', asText, []],
  // Two spellings of one number, two numbers, companies, (family) names or texts of an answer: the first is taken.
  [
    'keys the other way round',
    reversed,
    [
      'callrail',
      'wix_automation',
      'erpnext_lead',
      'zapimoveis_lead',
      'popin_call_missed',
      'snipcart_order',
      'ngsurvey_answers',
      'algebraix_prospect',
      'brevo_whatsapp_reply',
      'leadsdelivery_solar',
      'turkish_hotel_flow',
      'gate_visit_authorization',
      'korean_tour_parse',
      'apartment_guest_checkin_vn',
      'school_admission_sections',
      'zingle_inbound_message',
      'close_lead_record',
      'ghl_contact_record',
    ],
  ],
  // An answer that is an object of one value is that value. In a list, the type of an event is an answer like others.
  [
    'questions and answers',
    (payload) => listed(payload, 'question', 'answer'),
    [
      ...joinedByKey,
      'botwizard_lead',
      'hotel_stream_booking',
      'dialnexa_verification',
      'entersoft_system_event',
      'hair_zapier_test',
    ],
  ],
  [
    'names and values under any keys',
    (payload) => listed(payload, 'foo', 'bar'),
    [
      ...withoutNames,
      'hotel_stream_booking',
      'dialnexa_verification',
      'bluip_do_not_disturb',
      'entersoft_system_event',
      'hair_zapier_test',
    ],
  ],
]

function camel(words: string[]): string {
  return words[0]!.toLowerCase() + words.slice(1).map(capital).join('')
}

for (const [title, change, except] of changes) {
  test(`${title}: the same lead`, () => {
    for (const { platform, payload } of samples) {
      const changed = change(payload)
      if (changed === undefined || except.includes(platform)) continue
      assert.deepEqual(read(changed), leads.get(platform), platform)
    }
  })
}

const us = { name: 'Decoy Person', email: 'decoy@ours.example.com', phone: '9000099999', city: 'Nagpur' }
const strangers: [title: string, decoy: Entries, except?: string[]][] = [
  ['an agent', { assigned_agent: us }],
  [
    'an owner',
    { owner: { id: 4, ...us }, contact_owner: 'Decoy Person', contact_owner_email: us.email },
    // The owner of an animal is the lead.
    ['vet_appointment_confirmed', 'vet_vaccination_due'],
  ],
  ['an account', { account: { id: 'acc1', ...us } }],
  ['a team and a workspace', { team: us, workspace: { name: 'Decoy Space', owner_email: us.email } }],
  ['a branch', { location: { id: 'loc1', address: '1 Decoy Street', ...us } }],
  ['the firm itself', { business: { name: 'Decoy Firm', email: us.email, phone: us.phone } }],
  ['a form and a page', { form: { id: 'f1', name: 'Decoy Form' }, page: { title: 'Decoy', url: 'https://x.example' } }],
  [
    'names of forms and ads',
    { form_name: 'Decoy Form', campaign_name: 'Decoy Offer', ad_name: 'Decoy', page_title: 'D' },
  ],
  [
    'an order',
    {
      order: {
        id: 9_876_543_210,
        number: '9876543219',
        items: [{ name: 'Decoy Sofa', description: 'A soft grey sofa' }],
      },
    },
  ],
  ['ids and amounts', { order_id: '9876543210', invoice_no: '9876543211', pincode: '411001', amount: 9_876_543_212 }],
  ['consent', { consent: 'I agree to the privacy policy', terms_accepted: 'I accept the terms and conditions' }],
  ['a property', { property: { title: 'Decoy Villa', city: 'Nagpur', description: 'Lovely villa near the lake' } }],
  ['the address of a property', { property: { title: 'Decoy Villa', address: { street: 'Lake 1', city: 'Nagpur' } } }],
  ['our addresses', { notification_email: 'noreply@ours.example.com', support_phone: '18001234567', did: us.phone }],
  ['a product', { product: { title: 'Decoy Sofa', description: 'Very soft sofa with seats', vendor: 'Decoy Works' } }],
  ['a clinic', { doctor: { name: 'Dr Decoy', phone: us.phone }, clinic: us }],
  [
    'a store',
    { store_name: 'Decoy Store', shop_email: us.email, store_phone: us.phone },
    ['activecampaign', 'airmeet_attendee'],
  ],
  // A ticket was created by the lead.
  ['a maker', { created_by: us, organizer: us, updated_by: 'Decoy Person' }, ['laravel_ticket_created']],
  ['a browser', { user_agent: 'Mozilla/5.0 (X11; Linux)', ip_address: '203.0.113.7', page_url: 'https://x.example/c' }],
]

for (const [title, decoy, except = []] of strangers) {
  test(`${title} beside the lead changes nothing`, () => {
    for (const { platform, payload } of samples) {
      if (except.includes(platform) || Object.keys(decoy).some((key) => Object.hasOwn(payload, key))) continue
      const alone = leads.get(platform)
      assert.deepEqual(read({ ...payload, ...decoy }), alone, `${platform}, after`)
      assert.deepEqual(read({ ...decoy, ...payload }), alone, `${platform}, before`)
    }
  })
}
