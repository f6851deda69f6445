import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapPayload } from '../map-payload.ts'

const lead = { name: 'Asha Rao', phone: '9812004417', email: 'asha@example.com' }

/** Payloads, and the contacts beside the first phone and email. */
const payloads: [payload: Record<string, unknown>, others: string[]][] = [
  [{ ...lead, alternate_mobile: '9820011223', other_phone: '98200 11224' }, ['9820011223', '98200 11224']],
  [{ ...lead, phone2: '9820011223', email_2: 'asha@y.in' }, ['9820011223', 'asha@y.in']],
  [
    {
      SENDER_NAME: 'Asha Rao',
      SENDER_MOBILE: '+91-9812004417',
      SENDER_MOBILE_ALT: '+91-9820011223',
      SENDER_EMAIL: 'asha@example.com',
      SENDER_EMAIL_ALT: 'asha@y.in',
      RECEIVER_MOBILE: '+91-9820011225',
    },
    ['+91-9820011223', 'asha@y.in'],
  ],
  [{ ...lead, landline: '022 2612 3456', 'Home phone': '9812004417' }, ['022 2612 3456']],
  [{ data: { ...lead, work_phone: '9820011223' }, support_phone: '9820011224' }, ['9820011223']],
  // Of others, or not sure.
  [{ ...lead, father_mobile: '9820011223', emergency_contact: '9820011224', dealer_phone: '9820011225' }, []],
  [{ ...lead, company_phone: '9820011223', shipping_phone: '9820011224', store: { phone: '9820011225' } }, []],
  [{ ...lead, agent: { phone: '9820011223', email: 'agent@ours.in' }, alternate_phone: 'NA', phone2: '12345' }, []],
]

for (const [payload, others] of payloads) {
  test(`${JSON.stringify(payload)} has ${others.length} other contacts`, () => {
    const { lead } = mapPayload(payload, { mapping: [], country: 'IN' })
    assert.deepEqual(
      (lead.other_contacts ?? []).map(({ value }) => value),
      others,
    )
  })
}
