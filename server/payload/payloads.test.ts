import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge, samplePayloads } from '#test/labelled-payloads.ts'
import { mappedFields } from './contract.ts'
import { mapPayload } from './map-payload.ts'
import { readPath } from './path.ts'
import { followPath } from './recognition/follow-path.ts'
import { Opener } from './recognition/open-value.ts'

/** What is read otherwise than a careful person would, and why that is accepted for now. */
const accepted: Record<string, string> = {
  'aljabr_dms_leads_bulk company wrong': 'of a person without a company, the dealer under `company` is taken',
  'bookmyhouse_crm_lead_added notes wrong': 'of two remarks in different records, the first is taken',
  'bulksms_incoming_array notes missed': 'a message of one short word looks like a status',
  'cleverconnect_application source missed': '`origin` is not read as a source: it is more often a place or a URL',
  'detrack_collection_job name missed': '`deliver_to_collect_from` is no known name of a person',
  'detrack_collection_job email missed': '`notify_email` is more often an email of the business',
  'digit_motor_policy phone missed': 'the number is under `communicationId`, and ids are not read as numbers',
  'grist_rows_added name wrong': 'a record without a contact in a batch is read as far as it goes',
  'grist_rows_added notes wrong': 'a record without a contact in a batch is read as far as it goes',
  'heyreach_message_reply notes wrong': 'of the messages of a conversation, the own one is taken',
  'internal_helpdesk_ticket_ph name missed': '`employee_name` is more often an agent',
  'jazzhr_candidate_export notes missed': 'the letter is in the records of the application, not of the person',
  'jdl_broker_lead_au company missed': 'the employer is in a record of its own, apart from the person',
  'jdl_broker_lead_au city missed': 'the postal address is in a record of its own, apart from the person',
  'lawmatics_prospect notes missed': '`blurb` is no known word for notes',
  'partoo_chatbot company wrong': '`business_name` is the business of the account here, and the customer’s elsewhere',
  'payrexx_transaction_ch notes missed': '„Bemerkung“ of an invoice: custom fields of orders are not searched',
  'robo_mensageiro_mensagem company wrong':
    'a company beside a message is the customer’s more often than the platform’s',
  'sabpaisa_payment_callback notes wrong': 'fields without a meaning (`udf1`) are read by their value',
  'signing_suite_document_signed notes wrong': 'the signature of the own email is taken',
  'umnico_message_incoming source missed': '`type` is read as a source only at the beginning of a payload',
  'vakilsearch_service_request company missed': '`entity_name` is no known name of a company',
  'voxia_campaign_call notes wrong': 'the description of a question is taken for its answer',
  'yampi_order_created phone wrong': 'of two spellings of one number, the international one is taken',
}

test('the sample of labelled payloads is read without any mapping, except for what is accepted', () => {
  const { fields, rejected, invented } = judge(samplePayloads)
  const failures = fields.filter(({ result }) => result !== 'right')
  const found = failures.map(({ platform, field, result }) => `${platform} ${field} ${result}`)
  assert.deepEqual(found.sort(), Object.keys(accepted).sort())
  assert.deepEqual(rejected, [], 'no real lead is rejected')
  assert.deepEqual(invented, [], 'no event becomes a lead')
  assert.ok(fields.length > 1500)
})

test('every field recognised can be mapped by its path, and every path leads to its value', () => {
  for (const { platform, payload } of samplePayloads) {
    const first = mapPayload(payload, { mapping: [], country: 'IN' })
    const mapping = first.picks.map(({ path, field }) => ({ path, field }))
    assert.deepEqual(mapPayload(payload, { mapping, country: 'IN' }).lead, first.lead, platform)
    for (const text of first.unmapped) {
      const path = readPath(text)
      assert.ok(path && followPath(payload, path, new Opener()), `${platform} ${text}`)
    }
  }
})

test('a mapped path that a payload does not have changes nothing', () => {
  const unmapped = samplePayloads.map(({ payload }) => mapPayload(payload, { mapping: [], country: 'IN' }))
  fc.assert(
    fc.property(
      fc.nat(samplePayloads.length - 1),
      fc.uniqueArray(fc.constantFrom(...mappedFields), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('no.such.path', 'no_such_key', 'nowhere[3].value', '["No such question?"]'),
      (at, mapped, path) => {
        const mapping = mapped.map((field) => ({ path, field }))
        const reading = mapPayload(samplePayloads[at]!.payload, { mapping, country: 'IN' })
        assert.deepEqual({ ...reading, absent: [] }, unmapped[at])
        assert.equal(reading.absent.length, mapping.length)
      },
    ),
    { numRuns: 500 },
  )
})
