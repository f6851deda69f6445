import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recogniseColumns } from './columns.ts'
import type { ImportField } from './contract.ts'
import { callOutcomeNamed, callTypeNamed, priorityNamed, statusNamed } from './known-values.ts'

/** What a column beside a name and a phone is. Rows with fewer values are empty. */
function fieldOf(name: string, values: readonly string[], others: Record<string, string[]> = {}): ImportField {
  const columns = { Name: ['Asha Rao', 'Vikram Shah', 'Nina Pinto'], Phone: phones, ...others, [name]: [...values] }
  const names = Object.keys(columns)
  const rows = phones.map((_, at) => ({ line: at + 2, cells: Object.values(columns).map((cells) => cells[at] ?? '') }))
  return recogniseColumns({ names, rows, country: 'IN', withMigrated: true }).at(-1)!.field
}
const phones = ['9820011223', '9820011224', '9820011225']

const dates = ['03/04/2024', '15/04/2024', '02/05/2024']
const times = ['2024-04-03 11:22:33', '2024-04-15 10:00:00', '2024-05-02 09:30:12']
const tables: Record<string, [header: string, values: readonly string[], field: ImportField][]> = {
  'a word of the app in Hindi': [
    ['ईमेल', ['a@example.com'], 'email'],
    ['कंपनी', ['Rao Textiles', 'Shah & Sons'], 'company'],
    ['कम्पनी', ['Rao Textiles', 'Shah & Sons'], 'company'],
    ['शहर', ['पुणे', 'नागपुर'], 'city'],
    ['स्रोत', ['मेला', 'वेबसाइट'], 'source'],
    ['स्थिति', ['नई', 'योग्य'], 'status'],
    ['प्राथमिकता', ['ज़्यादा', 'कम'], 'priority'],
    ['टैग', ['vip'], 'tags'],
    ['सौदे की रकम', ['125000'], 'deal_value'],
    ['नोट्स', ['शाम को कॉल करें'], 'notes'],
    ['ज़िम्मेदार', ['Priya Nair'], 'assigned_to'],
    ['जिम्मेदार', ['Priya Nair'], 'assigned_to'],
    ['अन्य संपर्क', ['022 2673 1234'], 'other_contacts'],
    ['बनाई गई', dates, 'created_at'],
    ['बनाई गई (IST)', dates, 'created_at'],
    ['बनाने का समय', dates, 'created_at'],
    ['बदली गई', dates, 'updated_at'],
    ['पहला नाम', ['Asha'], 'first_name'],
    ['उपनाम', ['Rao'], 'last_name'],
    ['उत्पाद', ['3 BHK'], 'product'],
    ['कैंपेन', ['Diwali'], 'campaign'],
    ['विज्ञापन', ['Video 1'], 'ad'],
    ['फ़ॉर्म', ['Contact'], 'form'],
    ['सहमति', ['हाँ'], 'consent'],
    ['कॉल न करें', ['हाँ'], 'do_not_call'],
    ['कॉल का समय', times, 'called_at'],
    ['कॉल का प्रकार', ['आई हुई', 'की गई'], 'call_type'],
    ['कॉल की अवधि', ['60'], 'call_duration'],
    ['कॉल का नतीजा', ['बात हुई'], 'call_outcome'],
    ['कॉल के नोट्स', ['ok'], 'call_notes'],
  ],
  'an everyday Hindi word': [
    ['दिनांक', dates, 'created_at'],
    ['तारीख', dates, 'created_at'],
    ['तारीख़', dates, 'created_at'],
    ['बजट', ['50 लाख'], 'deal_value'],
    ['रकम', ['50 लाख'], 'deal_value'],
    ['पूछताछ', ['3 BHK चाहिए'], 'notes'],
    ['टिप्पणी', ['शाम को'], 'notes'],
    ['विवरण', ['शाम को'], 'notes'],
    ['मोबाइल नंबर', ['9820011299'], 'phone'],
    ['स्टेटस', ['नया'], 'status'],
    ['कर्मचारी', ['Priya Nair'], 'assigned_to'],
    ['ग्राहक का नाम', ['Asha'], 'name'],
  ],
  'dates under any header': [
    ['Dt', ['03-04-2024', '15-04-2024', '02-05-2024'], 'created_at'],
    ['When', dates, 'created_at'],
    ['Lead aaya', ['3 Apr 2024', '15 Apr 2024', '2 May 2024'], 'created_at'],
    ['Column 3', dates, 'created_at'],
    ['Entry', times, 'created_at'],
    ['Row made', times, 'created_at'],
    ['Sr', ['2024-04-03', '2024-04-15', ''], 'created_at'],
    ['Day', ['Apr 3, 2024', 'Apr 15, 2024', 'May 2, 2024'], 'created_at'],
    ['Kab', ['20240403', '20240415', '20240502'], 'created_at'],
    ['తేదీ', dates, 'created_at'],
    ['DOB', ['03/04/1984', '15/04/1990', '02/05/1979'], 'answer'],
    ['Visit date', ['03/04/2024'], 'answer'],
    ['Possession', ['01/12/2027', '01/06/2028', ''], 'answer'],
    ['Last contacted', times, 'answer'],
    ['Policy expiry', ['2024-04-03 00:00:00', '2024-04-15 00:00:00', ''], 'answer'],
    ['Wedding', ['03/04/2024'], 'answer'],
    ['Delivered on', times, 'answer'],
    ['Last activity time', times, 'answer'],
  ],
  'statuses under any header': [
    ['Kya hua', ['New', 'Contacted', 'Won'], 'status'],
    ['Position', ['Not interested', 'Call back', 'Converted'], 'status'],
    ['Current', ['Fresh', 'Follow up', 'Closed won'], 'status'],
    ['Result', ['Junk', 'Interested', 'Interested'], 'status'],
    ['Phase', ['Negotiation', 'Proposal sent', 'Lost'], 'status'],
    ['हाल', ['नया', 'संपर्क हुआ', 'सौदा हुआ'], 'status'],
    ['Column 3', ['Qualified', 'Lost', 'New'], 'status'],
    ['Progress', ['In progress', 'Dead', 'Open'], 'status'],
    ['Response', ['Interested', 'Not interested', 'Wrong number'], 'status'],
    ['Reply', ['Booked', 'Site visit done', 'Follow up'], 'status'],
    ['Flat type', ['New', 'Resale', 'Under construction'], 'answer'],
    ['State', ['Maharashtra', 'Gujarat', 'Goa'], 'answer'],
    ['Customer type', ['New', 'New', 'New'], 'answer'],
    ['Are you interested?', ['Interested', 'Not interested', 'Interested'], 'answer'],
  ],
  'money under any header': [
    ['Kitna', ['₹45,00,000', '₹5,00,000', '₹12,50,000'], 'deal_value'],
    ['Paisa', ['50 lakh', '1.2 crore', '80 lakh'], 'deal_value'],
    ['Range', ['Rs. 5 lac', 'Rs 12 lac', ''], 'deal_value'],
    ['Column 3', ['₹45,000', '₹5,000', '₹12,500'], 'deal_value'],
    ['Package', ['15 lakh', '2 crore', '50k'], 'deal_value'],
    ['Price', ['₹ 45,000/-', 'Rs. 5,000/- only', '12,500 INR'], 'deal_value'],
    ['पैसा', ['50 लाख', '1.2 करोड़', '80 लाख'], 'deal_value'],
    ['Quote given', ['Rs 45000', 'Rs 5000', 'Rs 12500'], 'deal_value'],
    ['Order', ['INR 45,000', 'INR 5,000', 'INR 12,500'], 'deal_value'],
    ['How much', ['₹45,000', '₹5,000', '₹12,500'], 'deal_value'],
    ['Annual income', ['₹45,00,000', '₹5,00,000', ''], 'answer'],
    ['Loan needed', ['50 lakh', '80 lakh', ''], 'answer'],
    ['Salary', ['₹45,000', '₹50,000', ''], 'answer'],
    ['Carpet area', ['45000', '5000', '1200'], 'answer'],
  ],
  'a creation time of another system': [
    ['Date', dates, 'created_at'],
    ['Added', dates, 'created_at'],
    ['Date of Lead', dates, 'created_at'],
    ['Lead received', dates, 'created_at'],
    ['Enquiry time', times, 'created_at'],
    ['QUERY_TIME', times, 'created_at'],
    ['Lead Generated On', times, 'created_at'],
    ['Lead in time', times, 'created_at'],
    ['Date & Time', times, 'created_at'],
    ['Date/Time', times, 'created_at'],
    ['created_time', ['2024-04-03T11:22:33+05:30'], 'created_at'],
    ['Captured on', times, 'created_at'],
  ],
  'call again, or why a lead is lost': [
    ['Next Follow Up', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Next Follow-up Date', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Follow up date', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Followup on', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Call back on', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Callback time', ['03/04/2030 10:00'], 'call_again_at' as ImportField],
    ['Next call', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Next activity date', ['03/04/2030'], 'call_again_at' as ImportField],
    ['Reminder', ['03/04/2030 10:00'], 'call_again_at' as ImportField],
    ['फिर कॉल का समय', ['03/04/2030 10:00'], 'call_again_at' as ImportField],
    ['Lost Reason', ['Too expensive'], 'lost_reason' as ImportField],
    ['Lost reason', ['Not interested'], 'lost_reason' as ImportField],
    ['Reason lost', ['Not interested'], 'lost_reason' as ImportField],
    ['Reason for loss', ['Bought elsewhere'], 'lost_reason' as ImportField],
    ['Lead lost reason', ['Price'], 'lost_reason' as ImportField],
    ['Disqualification reason', ['Price'], 'lost_reason' as ImportField],
    ['Closed lost reason', ['Price'], 'lost_reason' as ImportField],
    ['Rejection reason', ['Price'], 'lost_reason' as ImportField],
    ['Drop reason', ['Price'], 'lost_reason' as ImportField],
    ['सौदा न होने की वजह', ['महँगा'], 'lost_reason' as ImportField],
  ],
  'a further contact or part of a name': [
    ['Middle Name', ['Kumar'], 'first_name'],
    ['E-mail 1 - Value', ['a@example.com'], 'email'],
    ['E-mail 2 - Value', ['b@example.com'], 'email'],
    ['Phone 1 - Value', ['9820011299'], 'phone'],
    ['Phone 2 - Value', ['022 2673 1234'], 'phone'],
    ['Phone 3 - Value', ['022 2673 1235'], 'phone'],
    ['E-mail 2 Address', ['b@example.com'], 'email'],
    ['E-mail 3 Address', ['c@example.com'], 'email'],
    ['Home Phone 2', ['022 2673 1235'], 'phone'],
    ['Business Phone', ['022 2673 1235'], 'phone'],
    ['Business Phone 2', ['022 2673 1235'], 'phone'],
    ['SENDER_MOBILE_ALT', ['9820011299'], 'phone'],
    ['SENDER_EMAIL_ALT', ['b@example.com'], 'email'],
    ['Mobile 2', ['9820011299'], 'phone'],
    ['Alt Mobile', ['9820011299'], 'phone'],
    ['alternate_phone', ['9820011299'], 'phone'],
    ['Labels', ['* myContacts'], 'tags'],
    ['Categories', ['Client'], 'tags'],
    ['Organization Name', ['Acme'], 'company'],
    ['Organization 1 - Name', ['Acme'], 'company'],
  ],
}

for (const [kind, rows] of Object.entries(tables)) {
  for (const [header, values, field] of rows) {
    test(`${kind}: ${header}`, () => assert.equal(fieldOf(header, values), field))
  }
}

for (const [words, read] of [
  [
    {
      नई: 'New',
      नया: 'New',
      'नई लीड': 'New',
      'संपर्क हुआ': 'Contacted',
      'सम्पर्क हुआ': 'Contacted',
      'बात हुई': 'Contacted',
      योग्य: 'Qualified',
      प्रस्ताव: 'Proposal',
      'सौदा हुआ': 'Won',
      'सौदा नहीं हुआ': 'Lost',
      'रुचि नहीं': 'Lost',
      'फॉलो अप': 'Contacted',
    },
    statusNamed,
  ],
  [{ ज़्यादा: 'High', ज्यादा: 'High', मध्यम: 'Medium', कम: 'Low' }, priorityNamed],
  [{ 'आई हुई': 'Inbound', 'की गई': 'Outbound', इनकमिंग: 'Inbound', आउटगोइंग: 'Outbound' }, callTypeNamed],
  [
    { 'बात हुई': 'Completed', व्यस्त: 'Busy', 'जवाब नहीं': 'No Answer', वॉइसमेल: 'Voicemail', छूटी: 'Missed' },
    callOutcomeNamed,
  ],
] as const) {
  for (const [word, value] of Object.entries(words))
    test(`the value ${word} is ${value}`, () => assert.equal(read(word), value))
}
