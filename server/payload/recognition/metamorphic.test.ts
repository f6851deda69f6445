import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownPayloads as samples } from '#test/labelled-payloads.ts'
import { recognisedFields as read } from '#test/recognised-fields.ts'

type Entries = Record<string, unknown>
type Change = (payload: Entries) => unknown

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

/** Records within records as keys with dots; undefined for a payload without them. */
function dotted(payload: Entries): Entries | undefined {
  const isKey = (key: string) => /^[a-z_]\w+$/i.test(key)
  const flat = (entries: Entries, beginning: string): Entries[] =>
    Object.entries(entries).map(([key, value]) =>
      isEntries(value) && isKey(key) && Object.keys(value).every(isKey)
        ? Object.assign({}, ...flat(value, `${beginning}${key}.`))
        : { [`${beginning}${key}`]: value },
    )
  const result: Entries = Object.assign({}, ...flat(payload, ''))
  return Object.keys(result).some((key) => key.includes('.')) ? result : undefined
}

/** Answers found by ids that the change respells on one side only. */
const joinedByKey = ['wufoo', 'wufoo_field_structure', 'talview_form_instance_created']
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
  'atom_paynetz_response_in',
]

const changes: [title: string, change: Change, except: string[]][] = [
  ['keys in camelCase', (payload) => rekeyed(payload, camel), joinedByKey],
  ['keys in snake_case', (payload) => rekeyed(payload, (words) => words.join('_').toLowerCase()), joinedByKey],
  ['keys in kebab-case', (payload) => rekeyed(payload, (words) => words.join('-').toLowerCase()), joinedByKey],
  [
    'keys in Words',
    (payload) => rekeyed(payload, (words) => words.map(capital).join(' ')),
    ['talview_form_instance_created'],
  ],
  // City and its state, both under CITY, are one more thing to choose from.
  [
    'keys in CAPITALS',
    (payload) => rekeyed(payload, (words) => words.join('_').toUpperCase()),
    [...joinedByKey, 'gohighlevel_custom_data'],
  ],
  // Names and values, or questions and answers, that are entries of one record.
  [
    'keys with dots',
    dotted,
    [
      'architect_form_submitted',
      'elfsight_form',
      'gupshup_v2_button_reply',
      'hospitable_reservation_created',
      'jinshuju_entry',
      'kizeo_forms_received',
      'notion_automation',
      'quform_elements',
      'scheme_form_snapshot_in',
      'taboola_outbrain_form',
      'wwimmo_damage_notification',
      'zingle_inbound_message',
    ],
  ],
  ['an envelope of data', (payload) => ({ data: payload }), []],
  // Without a contact, the texts of an event are not read.
  [
    'an event and its payload',
    (payload) => ({ event: 'lead.created', payload }),
    [
      'sendinblue_sms_reply',
      'korean_mold_process',
      'massage_home_booking',
      'forcemanager_opportunity_created',
      'website_webchat_message_br',
    ],
  ],
  ['a body beside headers', (payload) => ({ headers: { host: 'hooks.example.com' }, body: payload }), []],
  ['a list of one', (payload) => [payload], []],
  [
    'a result within a result',
    (payload) => ({ success: true, result: { record: payload } }),
    ['woocommerce_order', 'masked_student_record', 'shop_review_created', 'scout_car_leads_rows'],
  ],
  ['JSON in a text', (payload) => ({ payload: JSON.stringify(payload) }), []],
  ['nested values as JSON', asText, []],
  // Two spellings of one number, two numbers, companies, (family) names or texts of an answer: the first is taken.
  [
    'keys the other way round',
    reversed,
    [
      'callrail',
      'megafon_vats_history',
      'whatconverts_phone_call',
      'trackdrive_call_ended',
      'wix_automation',
      'erpnext_lead',
      'zapimoveis_lead',
      'popin_call_missed',
      'snipcart_order',
      'ngsurvey_answers',
      'algebraix_prospect',
      'brevo_whatsapp_reply',
      'cyran_lead_qualified',
      'leadsdelivery_solar',
      'turkish_hotel_flow',
      'gate_visit_authorization',
      'korean_tour_parse',
      'apartment_guest_checkin_vn',
      'school_admission_sections',
      'zingle_inbound_message',
      'close_lead_record',
      'ghl_contact_record',
      'aljabr_dms_leads_bulk',
      'clinicai_turnos_ar',
      'ambivo_lead_created',
      'sent_dm_message_received',
      'zenventory_customer_order',
      'wedof_registration_folder',
      'supermove_developer_project',
      'sugarcrm_lead_web_hook',
      'ampersand_intercom_contacts',
      'repairshopr_ticket_created',
      'drchrono_patient_create',
      'onehash_lead_doc_in',
      'yclients_record_create',
    ],
  ],
  // An answer that is an object of one value is that value. Keys that begin alike are only shortened in objects. In a list, the type of an event is an answer like others.
  [
    'questions and answers',
    (payload) => listed(payload, 'question', 'answer'),
    [
      ...joinedByKey,
      'botwizard_lead',
      'convertri_sale',
      'epayco_confirmation',
      'hotel_stream_booking',
      'dialnexa_verification',
      'entersoft_system_event',
      'hair_zapier_test',
      'chatbot_exchange_no_contact',
      'message_debounce_ids_br',
    ],
  ],
  [
    'names and values under any keys',
    (payload) => listed(payload, 'foo', 'bar'),
    [
      ...withoutNames,
      'convertri_sale',
      'epayco_confirmation',
      'hotel_stream_booking',
      'dialnexa_verification',
      'bluip_do_not_disturb',
      'entersoft_system_event',
      'hair_zapier_test',
      'chatbot_exchange_no_contact',
      'message_debounce_ids_br',
      'sms_forward_schema_vn',
      'virtual_number_missed_call_get',
      'jeevansathi_virtual_number_lead',
      'kookoo_newcall',
      'voicensms_missed_call',
      'smseagle_incoming_sms',
      'yiye_landing_form',
    ],
  ],
]

function camel(words: string[]): string {
  return words[0]!.toLowerCase() + words.slice(1).map(capital).join('')
}

// Payload by payload: what its keys mean is worked out once.
for (const [family, payloads] of Map.groupBy(samples, (sample) => sample.family)) {
  test(`spelled or nested otherwise, the same lead: ${family}`, () => {
    for (const { platform, payload } of payloads)
      for (const [title, change, except] of changes) {
        const changed = except.includes(platform) ? undefined : change(payload)
        if (changed === undefined) continue
        assert.deepEqual(read(changed), leads.get(platform), `${platform}, ${title}`)
      }
  })
}
