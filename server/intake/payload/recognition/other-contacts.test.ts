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
  [{ ...lead, whatsapp_number: '9820011223' }, ['9820011223']],
  [{ 'WhatsApp No.': '+919820011223', ...lead }, ['+919820011223']],
  [{ ...lead, 'what_is_your_whatsapp_number?': '9820011223' }, ['9820011223']],
  [{ name: 'Asha Rao', whatsapp: '9820011223', 'Contact number': '9812004417' }, ['9820011223']],
  [{ नाम: 'Asha Rao', फोन: '9812004417', व्हाट्सएप: '9820011223', ईमेल: 'asha@example.com' }, ['9820011223']],
  [{ name: 'Asha Rao', phone: '9820011223', mobile: '9812004417', email: 'asha@example.com' }, ['9820011223']],
  [{ name: 'Asha Rao', phone1: '9812004417', phone2: '9820011223', email: 'asha@example.com' }, ['9820011223']],
  // The same number, or the only one.
  [{ ...lead, whatsapp_number: '+91 98120 04417' }, []],
  [{ name: 'Asha Rao', whatsapp_number: '9812004417', email: 'asha@example.com' }, []],
  // Contacts of other people, or not sure.
  [{ ...lead, father_mobile: '9820011223', emergency_contact: '9820011224', dealer_phone: '9820011225' }, []],
  [{ ...lead, company_phone: '9820011223', shipping_phone: '9820011224', store: { phone: '9820011225' } }, []],
  [{ ...lead, contactId: '9820011223', lo_email: 'lo@ours.in', father_whatsapp: '9820011224' }, []],
  [{ ...lead, agent: { phone: '9820011223', email: 'agent@ours.in' }, alternate_phone: 'NA', phone2: '12345' }, []],
]

for (const [payload, others] of payloads) {
  test(`${JSON.stringify(payload)} has a phone, and ${others.length} other contacts`, () => {
    const { lead } = mapPayload(payload, { mapping: [], country: 'IN' })
    assert.equal(lead.phone?.replace(/\D/g, '').slice(-10), '9812004417')
    assert.deepEqual(
      (lead.other_contacts ?? []).map(({ value }) => value),
      others,
    )
  })
}

/** Names of one more number of the lead, and of a number of somebody else, which is an answer under its name. */
const ownNumbers = [
  'Alternate Mobile No.',
  'Alt. Phone',
  'Secondary contact number',
  'Other phone (if any)',
  'Mobile No. 2',
  'WhatsApp number (if different)',
  'Landline / Residence No.',
  'Doosra mobile number',
  'Aapka dusra number',
  'Koi aur number',
  'दूसरा मोबाइल नंबर',
  'वैकल्पिक फ़ोन नंबर',
  'अन्य संपर्क नंबर',
  'पर्यायी मोबाईल क्रमांक',
  'दुसरा फोन नंबर',
  'மாற்று தொலைபேசி எண்',
  'இரண்டாவது கைபேசி எண்',
  'ప్రత్యామ్నాయ మొబైల్ నంబర్',
  'రెండవ ఫోన్ నంబర్',
  'বিকল্প মোবাইল নম্বর',
  'দ্বিতীয় ফোন নম্বর',
  'વૈકલ્પિક મોબાઇલ નંબર',
  'બીજો મોબાઈલ નંબર',
  'ಪರ್ಯಾಯ ಮೊಬೈಲ್ ಸಂಖ್ಯೆ',
  'ಎರಡನೇ ಫೋನ್ ಸಂಖ್ಯೆ',
  'Alternate Number',
  'alternate_number',
  'Alternate No.',
  'Other number',
  'Second number',
  'Dusra number',
  'दूसरा नंबर',
  'மாற்று எண்',
]
const othersNumbers = [
  "Father's Mobile No",
  'Mother Contact Number',
  "Husband's Phone",
  'Wife mobile number',
  'Spouse Contact No.',
  'Local Guardian Phone',
  'Nominee Mobile Number',
  'Emergency Contact No.',
  "Parent's alternate number",
  'In case of emergency call',
  'Papa ka number',
  'Pati ka mobile number',
  'Mummy ka phone no',
  'पिताजी का फ़ोन नंबर',
  'माता का मोबाइल नंबर',
  'अभिभावक का संपर्क नंबर',
  'पति का मोबाइल',
  'आपातकालीन संपर्क नंबर',
  'वडिलांचा मोबाईल नंबर',
  'தந்தையின் கைபேசி எண்',
  'తండ్రి ఫోన్ నంబర్',
  'পিতার মোবাইল নম্বর',
  'પિતાનો મોબાઇલ નંબર',
  'ತಂದೆಯ ಮೊಬೈಲ್ ಸಂಖ್ಯೆ',
  'father_mobile',
  'son_phone',
  'nominee_mobile',
]

const readBeside = (name: string) => {
  const payload = { Name: 'Kunal Sethi', Mobile: '9876512002', [name]: '9876512102' }
  const { lead, enquiry } = mapPayload(payload, { mapping: [], country: 'IN' })
  assert.equal(lead.phone, '9876512002')
  return { others: (lead.other_contacts ?? []).map(({ value }) => value), answers: enquiry.answers }
}

for (const name of ownNumbers) {
  test(`“${name}” is another number of the lead`, () => {
    assert.deepEqual(readBeside(name), { others: ['9876512102'], answers: [] })
  })
}

for (const name of othersNumbers) {
  test(`“${name}” is somebody else’s number, and an answer`, () => {
    assert.deepEqual(readBeside(name), { others: [], answers: [{ question: name, answer: '9876512102' }] })
  })
}
