import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapPayload } from '../map-payload.ts'

/** Names in parts, firms and places, as forms in India name them. */
const payloads: [payload: Record<string, unknown>, expected: { name: string; company?: string; city?: string }][] = [
  [{ fnm: 'Rohini', lnm: 'Gaikwad', mob: '9845440001' }, { name: 'Rohini Gaikwad' }],
  [
    { f_name: 'Suresh', m_name: 'Babulal', l_name: 'Mehta', phone: '9845440002', city: 'Surat' },
    { name: 'Suresh Babulal Mehta', city: 'Surat' },
  ],
  [
    {
      first_name: 'Lakshmi',
      middle_name: '',
      last_name: 'Narayanan',
      phone: '9845440003',
      company_name: 'Narayanan & Sons',
    },
    { name: 'Lakshmi Narayanan', company: 'Narayanan & Sons' },
  ],
  [
    {
      'xx-listing-fname': 'Imtiaz',
      'xx-listing-lname': 'Qureshi',
      'xx-listing-phone': '9845440004',
      'xx-listing-city': 'Bhopal',
    },
    { name: 'Imtiaz Qureshi', city: 'Bhopal' },
  ],
  [
    { 'wpcf7-your-first-name': 'Jaya', 'wpcf7-your-last-name': 'Prakash', 'wpcf7-your-tel': '9845440005' },
    { name: 'Jaya Prakash' },
  ],
  [
    {
      elementor_firstname: 'Nikhil',
      elementor_surname: 'Bansal',
      elementor_mobile: '9845440006',
      elementor_organisation: 'Bansal Steel Udyog',
    },
    { name: 'Nikhil Bansal', company: 'Bansal Steel Udyog' },
  ],
  [
    { 'Owner Name': 'Chirag Patel', 'Shop name': 'Jay Ambe Kirana', Mobile: '9845440007', Town: 'Mehsana' },
    { name: 'Chirag Patel', company: 'Jay Ambe Kirana', city: 'Mehsana' },
  ],
  [
    {
      answers: [
        { question: 'Aapka naam', answer: 'Ramkishan Yadav' },
        { question: 'Dukaan ka naam', answer: 'Yadav Beej Bhandar' },
        { question: 'Gaon', answer: 'Piplia' },
        { question: 'Mobile number', answer: '9845440008' },
      ],
    },
    { name: 'Ramkishan Yadav', company: 'Yadav Beej Bhandar', city: 'Piplia' },
  ],
  [
    {
      field_data: [
        { name: 'full_name', values: ['Sarita Devi'] },
        { name: 'गाँव', values: ['रामपुर'] },
        { name: 'phone_number', values: ['+919845440009'] },
      ],
    },
    { name: 'Sarita Devi', city: 'रामपुर' },
  ],
  [
    {
      questions: [
        { label: 'पूरा नाम', value: 'मोहन लाल' },
        { label: 'शहर', value: 'जयपुर' },
        { label: 'फर्म का नाम', value: 'लाल टेक्सटाइल्स' },
        { label: 'मोबाइल नंबर', value: '9845440010' },
      ],
    },
    { name: 'मोहन लाल', company: 'लाल टेक्सटाइल्स', city: 'जयपुर' },
  ],
  [
    {
      user_column_data: [
        { column_id: 'FIRST_NAME', string_value: 'Preethi' },
        { column_id: 'LAST_NAME', string_value: 'Shenoy' },
        { column_id: 'CITY', string_value: 'Mangaluru' },
        { column_id: 'PHONE_NUMBER', string_value: '+919845440011' },
      ],
    },
    { name: 'Preethi Shenoy', city: 'Mangaluru' },
  ],
  [
    {
      responses: [
        { q: 'Naam', a: 'Dattatray Pawar' },
        { q: 'Taluka', a: 'Baramati' },
        { q: 'Phone', a: '9845440012' },
      ],
    },
    { name: 'Dattatray Pawar', city: 'Baramati' },
  ],
  [
    { 'Contact Person': 'Gurmeet Singh', Firm: 'Singh Auto Spares', Phone: '9845440013', City: 'Ludhiana' },
    { name: 'Gurmeet Singh', company: 'Singh Auto Spares', city: 'Ludhiana' },
  ],
  [
    {
      givenName: 'Ananya',
      familyName: 'Chatterjee',
      telephone: '9845440014',
      worksFor: 'Chatterjee Diagnostics',
      addressLocality: 'Howrah',
    },
    { name: 'Ananya Chatterjee', company: 'Chatterjee Diagnostics', city: 'Howrah' },
  ],
  [
    { name: { first: 'Pradeep', last: 'Hegde' }, mobile: '9845440015', business_name: 'Hegde Caterers' },
    { name: 'Pradeep Hegde', company: 'Hegde Caterers' },
  ],
  [
    { 'Vyapari ka naam': 'Bharat Solanki', Pratishthan: 'Solanki Traders', Shahar: 'Ujjain', Mobile: '9845440016' },
    { name: 'Bharat Solanki', company: 'Solanki Traders', city: 'Ujjain' },
  ],
  [
    {
      input_1_3: 'Fatima',
      input_1_6: 'Sheikh',
      'your-phone': '9845440017',
      labels: { input_1_3: 'First Name', input_1_6: 'Last Name' },
    },
    { name: 'Fatima Sheikh' },
  ],
  [
    {
      'mf-listing-fname': 'Asha',
      'mf-listing-lname': 'Rao',
      'mf-email': 'asha@example.com',
      'mf-telephone': '9876512006',
    },
    { name: 'Asha Rao' },
  ],
  [{ first_name: 'Asha', middle_name: 'Kumari', last_name: 'Rao', mobile: '9876512006' }, { name: 'Asha Kumari Rao' }],
  [{ firstName: 'Asha', middleName: 'N/A', lastName: 'Rao', mobile: '9876512006' }, { name: 'Asha Rao' }],
  [
    {
      student_first_name: 'Asha',
      student_middle_name: 'Kumari',
      student_last_name: 'Rao',
      guardian_middle_name: 'Lal',
      mobile: '9876512006',
    },
    { name: 'Asha Kumari Rao' },
  ],
  [
    { Naam: 'Asha Rao', 'Dukaan ka naam': 'Gopal Traders', Mobile: '9876512006' },
    { name: 'Asha Rao', company: 'Gopal Traders' },
  ],
  [
    { Name: 'Asha Rao', 'Gaon / Taluka': 'Sinnar', Mobile: '9876512006' },
    { name: 'Asha Rao', city: 'Sinnar' },
  ],
]

for (const [payload, expected] of payloads) {
  test(`${JSON.stringify(payload)} is read`, () => {
    const { name, company, city } = mapPayload(payload, { mapping: [], country: 'IN' }).lead
    assert.deepEqual({ name, company, city }, { company: undefined, city: undefined, ...expected })
  })
}
