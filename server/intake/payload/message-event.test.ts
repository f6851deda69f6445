import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '#test/labelled-payloads.ts'

/** The Cloud API sends messages and what became of them in one envelope. */
const ofWhatsApp = (content: object) => {
  const metadata = { display_phone_number: '918061230000', phone_number_id: '1061' }
  const value = { messaging_product: 'whatsapp', metadata, ...content }
  return { object: 'whatsapp_business_account', entry: [{ id: '1020', changes: [{ field: 'messages', value }] }] }
}

/** What became of a message that the business sent. */
const events = [
  {
    email: 'rakesh@mail.example',
    event: 'delivered',
    sg_event_id: 'ZGVs',
    sg_message_id: '14c5d75ce93.dfd.64b469.filter0001',
    timestamp: 1795000000,
    'smtp-id': '<14c5d75ce93@ismtpd-555>',
    category: ['diwali-offer'],
  },
  {
    email: 'rakesh@mail.example',
    event: 'click',
    url: 'https://shop.example/offer',
    useragent: 'Mozilla/5.0',
    ip: '203.0.113.9',
    sg_message_id: '14c5d75ce94',
    timestamp: 1795000100,
  },
  {
    signature: { timestamp: '1795000200', token: 't0k' },
    'event-data': {
      event: 'opened',
      id: 'Ase7i2',
      recipient: 'meena@mail.example',
      message: { headers: { 'message-id': '20261118.1@mg.shop.example' } },
      campaigns: [],
    },
  },
  {
    RecordType: 'Bounce',
    Type: 'HardBounce',
    Email: 'nobody@mail.example',
    MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
    From: 'hello@shop.example',
    Subject: 'Your invoice',
    BouncedAt: '2026-11-18T10:00:00Z',
    MessageStream: 'outbound',
  },
  {
    notificationType: 'Complaint',
    complaint: { complainedRecipients: [{ emailAddress: 'gopi@mail.example' }], timestamp: '2026-11-18T10:01:00Z' },
    mail: { source: 'hello@shop.example', messageId: '0000014a', destination: ['gopi@mail.example'] },
  },
  {
    event: 'unsubscribed',
    email: 'leela@mail.example',
    id: 26224,
    date: '2026-11-18 15:30:00',
    'message-id': '<2026@relay.brevo.example>',
    camp_id: 51,
    'campaign name': 'November newsletter',
  },
  {
    type: 'campaign',
    fired_at: '2026-11-18 10:30:00',
    data: { id: '5aa2102003', subject: 'Diwali sale starts', status: 'sent', list_id: 'a6b5da1054' },
  },
  {
    type: 'unsubscribe',
    fired_at: '2026-11-18 10:40:00',
    data: {
      action: 'unsub',
      reason: 'manual',
      id: '8a25ff1d98',
      list_id: 'a6b5da1054',
      email: 'hari@mail.example',
      merges: { EMAIL: 'hari@mail.example', FNAME: 'Hari', PHONE: '9845330008' },
    },
  },
  ofWhatsApp({
    statuses: [{ id: 'wamid.HBg1', status: 'read', timestamp: '1795000300', recipient_id: '919845330009' }],
  }),
  {
    app: 'ShopBot',
    timestamp: 1795000400000,
    version: 2,
    type: 'message-event',
    payload: {
      id: 'ee4a68a0',
      gsId: 'ee4a68a1',
      type: 'delivered',
      destination: '919845330010',
      payload: { ts: 1795000399 },
    },
  },
  {
    MessageSid: 'SM11',
    SmsSid: 'SM11',
    MessageStatus: 'delivered',
    SmsStatus: 'delivered',
    From: '+918061230000',
    To: '+919845330011',
    AccountSid: 'AC1',
    ApiVersion: '2010-04-01',
  },
  {
    requestId: '366b7a',
    userId: '1177',
    report: [{ date: '2026-11-18 16:00:00', number: '919845330012', status: '1', desc: 'DELIVERED' }],
    senderId: 'SHOPIN',
    campaignName: 'OTP',
  },
  {
    eventType: 'templateMessageSent',
    id: '64a1',
    whatsappMessageId: 'wamid.x',
    templateName: 'festive_offer',
    waId: '919845330013',
    operatorEmail: 'ops@shop.example',
    statusString: 'SENT',
    text: 'Namaste! Flat 20% off this week',
    created: '2026-11-18T11:00:00Z',
  },
  {
    event_name: ['softbounce'],
    event_message: [
      {
        email_info: {
          subject: 'Fee reminder',
          from: { address: 'fees@school.example' },
          to: [{ email_address: { address: 'parent@mail.example' } }],
        },
        event_data: [{ details: [{ reason: 'mailbox full', bounced_recipient: 'parent@mail.example' }] }],
      },
    ],
    mailagent_key: 'ad3b',
  },
  {
    type: 'message_api_failed',
    timestamp: '2026-11-18T12:00:00Z',
    data: {
      customer: { phone_number: '9845330015', country_code: '+91', traits: { name: 'Balu' } },
      message: {
        id: 'm15',
        message_status: 'Failed',
        channel_failure_reason: 'Not on WhatsApp',
        message_content_type: 'Template',
      },
    },
  },
  {
    EVENT: 'dropped',
    EMAIL: 'latha@mail.example',
    FROMADDRESS: 'offers@shop.example',
    TRANSID: '15954',
    SUBJECT: 'Last day',
    TIMESTAMP: '1795000700',
  },
  {
    event: 'opened',
    email: 'asha.m@example.com',
    id: 60,
    date: '2026-11-27 18:20:11',
    'message-id': '<61@relay.example>',
    subject: 'Your AMC is due',
  },
  {
    event: 'hard_bounce',
    email: 'asha.m@example.com',
    id: 60,
    'message-id': '<61@relay.example>',
    subject: 'Your AMC is due',
    reason: 'mailbox unavailable',
  },
  {
    'event-data': {
      event: 'failed',
      recipient: 'asha.m@example.com',
      'delivery-status': { message: '5.1.1 does not exist', code: 550 },
      message: { headers: { 'message-id': '2026@mg.example', subject: 'Your AMC' } },
    },
  },
]

/** Words of a person, or an event of something else. */
const leads = [
  {
    recipient: 'enquiry@shop.example',
    sender: 'deepak@mail.example',
    from: 'Deepak Yadav <deepak@mail.example>',
    subject: 'Price of 3 HP motor',
    'body-plain': 'Please send rate for 3 HP motor. My number 9845330101.',
    timestamp: '1795001000',
    'Message-Id': '<in1@mail.example>',
  },
  {
    headers: 'Received: by mx0047p1mdw1',
    from: 'Saira Khan <saira@mail.example>',
    to: 'hello@shop.example',
    subject: 'Need bridal makeup on 5 Dec',
    text: 'Call me on 98453 30102',
    envelope: '{"to":["hello@shop.example"],"from":"saira@mail.example"}',
  },
  ofWhatsApp({
    contacts: [{ profile: { name: 'Thomas' }, wa_id: '919845330103' }],
    messages: [
      {
        from: '919845330103',
        id: 'wamid.in',
        timestamp: '1795001200',
        type: 'text',
        text: { body: 'Is the 2BHK still available?' },
      },
    ],
  }),
  {
    app: 'ShopBot',
    timestamp: 1795001300000,
    version: 2,
    type: 'message',
    payload: {
      id: 'ABE',
      source: '919845330104',
      type: 'text',
      payload: { text: 'Rate kya hai?' },
      sender: { phone: '919845330104', name: 'Mukesh', country_code: '91', dial_code: '9845330104' },
    },
  },
  {
    MessageSid: 'SM55',
    SmsStatus: 'received',
    From: '+919845330105',
    To: '+918061230000',
    Body: 'Interested in franchise, please call',
    NumMedia: '0',
    AccountSid: 'AC1',
  },
  {
    type: 'form.submitted',
    source: 'newsletter landing page',
    submitted_at: '2026-11-18T13:00:00Z',
    data: {
      name: 'Vandana Rao',
      email: 'vandana@mail.example',
      phone: '9845330106',
      message: 'Want a demo for my school',
    },
  },
  { event: 'opened', name: 'Asha', email: 'asha.m@example.com', phone: '9876512005', message: 'I want a quote' },
  { event: 'unsubscribed', email: 'asha.m@example.com', message: 'Please remove me, but I still want the brochure' },
  { form: 'opened', name: 'Asha', email: 'asha.m@example.com' },
  { event: 'opened', ticket: { id: 7, subject: 'AC not cooling', email: 'asha@example.com' } },
  { event: 'delivered', order_id: 9, name: 'Asha', phone: '9876512005', email: 'asha@example.com' },
  { type: 'complaint', name: 'Asha', phone: '9876512005', description: 'Lift stuck' },
  { event: 'failed', payment_id: 'pay_1', email: 'asha@example.com', contact: '+919876512005' },
  { event: 'click', button: 'Get quote', email: 'asha@example.com', page: '/pricing' },
]

const becomes = (payload: unknown) =>
  readRecords(payload).map(({ is_own, event, reading: { lead } }) =>
    is_own || event ? 'ignored' : (lead.email ?? lead.phone ?? 'rejected'),
  )

for (const payload of events) {
  test(`${JSON.stringify(payload).slice(0, 120)} is ignored`, () => assert.deepEqual(becomes(payload), ['ignored']))
}

for (const payload of leads) {
  test(`${JSON.stringify(payload).slice(0, 120)} is a lead`, () => {
    const [contact] = becomes(payload)
    assert.match(contact!, /@|\d{10}/)
  })
}
