import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnquiryPart } from '../contract.ts'
import { partOf } from './part-of-value.ts'

/** A name, a value under it, and what it is. `campaign/name`: the name in an object `campaign`. */
const table: [name: string, value: string, part: EnquiryPart][] = [
  ['What is your budget?', '60–80 lakh', 'answer'],
  ['आपका बजट क्या है?', '60 लाख', 'answer'],
  ['preferred_time', 'After 6 pm', 'answer'],
  ['state', 'Kerala', 'answer'],
  ['visit_date', '2026-12-05T10:00:00+05:30', 'answer'],
  ['resume', 'https://files.example.com/cv.pdf', 'answer'],
  ['employees', '51-200', 'answer'],
  ['campaign_name', 'Diwali', 'campaign'],
  ['campaign/name', 'Diwali', 'campaign'],
  ['ad_set/id', '23', 'ad_set_id'],
  ['utm/source', 'google', 'utm_source'],
  ['hidden-utmCampaign', 'Diwali', 'utm_campaign'],
  ['ctl00$Main$hdnGclid', 'Cj0abc', 'gclid'],
  ['_fbc', 'fb.1.179.IwZ', 'fbc'],
  ['referral/headline', '3 BHK in Baner', 'ad'],
  ['page_url', 'https://example.com/a', 'page_url'],
  ['http_referer', 'https://google.com/', 'referrer'],
  ['submission_id', 's-12', 'lead_id'],
  ['project', 'Wakad Heights', 'product'],
  ['I agree to receive calls', 'true', 'consent'],
  ['सहमति', 'हाँ', 'consent'],
  ['consent/at', '2026-11-29T10:00:00Z', 'consent_at'],
  ['consent/ip', '203.0.113.9', 'left_out'],
  ['dncmobile', '1', 'do_not_call'],
  ['event', 'lead.created', 'left_out'],
  ['created_at', '2026-11-29T10:00:00Z', 'left_out'],
  ['csrf_token', 'a1b2', 'left_out'],
  ['_wpcf7_unit_tag', 'wpcf7-f12-o1', 'left_out'],
  ['Remote IP', '203.0.113.9', 'left_out'],
  ['User Agent', 'Mozilla/5.0 (Linux)', 'left_out'],
  ['agent_name', 'Rekha', 'left_out'],
  ['workspace/name', 'Acme', 'left_out'],
  ['lead_status', 'NEW', 'left_out'],
]

for (const [name, value, part] of table)
  test(`${name} = ${value} is ${part}`, () => {
    const [question, ...around] = name.split('/').reverse()
    assert.equal(partOf({ question: question!, value, around }), part)
  })
