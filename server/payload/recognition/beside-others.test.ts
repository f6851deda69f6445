import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOf } from '#test/budget.ts'
import { samplePayloads as samples } from '#test/labelled-payloads.ts'
import { recognisedFields as read } from '#test/recognised-fields.ts'

type Entries = Record<string, unknown>

/** What is read from each payload as it is. */
const leads = new Map(samples.map(({ platform, payload }) => [platform, read(payload)]))

const families = Map.groupBy(samples, ({ family }) => family)

const us = { name: 'Decoy Person', email: 'decoy@ours.example.com', phone: '9000099999', city: 'Nagpur' }
const strangers: [title: string, stranger: Entries][] = [
  ['an agent', { assigned_agent: us }],
  ['an owner', { owner: { id: 4, ...us }, contact_owner: 'Decoy Person', contact_owner_email: us.email }],
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
  ['a store', { store_name: 'Decoy Store', shop_email: us.email, store_phone: us.phone }],
  ['a maker', { created_by: us, organizer: us, updated_by: 'Decoy Person' }],
  ['a browser', { user_agent: 'Mozilla/5.0 (X11; Linux)', ip_address: '203.0.113.7', page_url: 'https://x.example/c' }],
]

/** The owner of an animal is the lead, whoever owns what else. */
const namesOwner = (payload: Entries) => /"owner/i.test(JSON.stringify(payload))

// Payload by payload: what its keys mean is worked out once. Each stranger is put before one payload and after the next.
for (const [family, payloads] of families) {
  test(`strangers beside a lead change nothing: ${family}`, () => {
    for (const [at, { platform, payload }] of payloads.entries())
      for (const [place, [title, stranger]] of someOf([...strangers.entries()], at)) {
        if (Object.keys(stranger).some((key) => Object.hasOwn(payload, key))) continue
        if ('owner' in stranger && namesOwner(payload)) continue
        const isAfter = (at + place) % 2 === 0
        const both = isAfter ? { ...payload, ...stranger } : { ...stranger, ...payload }
        assert.deepEqual(read(both), leads.get(platform), `${platform}, ${title} ${isAfter ? 'after' : 'before'} it`)
      }
  })
}
