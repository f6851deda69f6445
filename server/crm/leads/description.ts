import { sampleId as id } from '../../platform/http/contract.ts'
import { described } from '../../platform/http/describe.ts'
import { emptyBody, invalid, notFound, problemBody } from '../../platform/http/problem.ts'

const ravi = {
  name: 'Ravi Kumar',
  email: 'ravi.kumar@example.com',
  phone: '+91 98100 44321',
  company: 'Kumar Textiles',
  city: 'Pune',
  source: 'IVR',
  tags: ['3 BHK'],
  deal_value: 8_500_000,
  notes: 'Wants to visit the site on Sunday.',
}

const created = {
  id,
  name: 'Ravi Kumar',
  email: 'ravi.kumar@example.com',
  phone: '+91 98100 44321',
  company: 'Kumar Textiles',
  city: 'Pune',
  source: 'IVR',
  status: 'New',
  priority: 'Medium',
  tags: ['3 BHK'],
  deal_value: 8_500_000,
  notes: 'Wants to visit the site on Sunday.',
  assigned_to: 'asha@example.com',
  created_at: '2026-11-21T05:00:00Z',
  updated_at: '2026-11-21T05:00:00Z',
}

const merged = {
  ...created,
  phone: '098100 44321',
  status: 'Contacted',
  tags: ['3 BHK', 'hot'],
  updated_at: '2026-11-21T05:12:30Z',
}

const merging = 'To change a lead, POST /api/v1/leads with the same phone or email: it merges.'

/** There is no other route that changes a lead. */
export const insteadOfChange = { PATCH: merging, PUT: merging, POST: merging }

/** How the API description shows the operations on leads. `openapi.test.ts` sends the examples to the service. */
export const leadDocs = {
  list: described({
    operationId: 'listLeads',
    tags: ['Leads'],
    summary: 'List leads',
    description:
      'Newest first. Without dates: the last 30 days, counted in India. To page, add `limit` to `offset` until `has_more` ' +
      'is false. To keep in step, give `updated_since`: the leads that changed since, the last change last. Beyond ' +
      '10,000 of them, `total` is 10,000 and `total_capped` is true.',
    answers: {
      200: {
        description: 'A page of the leads that match all filters and that the user of the key may see.',
        examples: {
          'one lead': { data: [merged], pagination: { limit: 50, offset: 0, total: 1, has_more: false } },
          'no lead': { data: [], pagination: { limit: 50, offset: 0, total: 0, has_more: false } },
        },
      },
      400: {
        description: 'A parameter is not valid; `field` names it.',
        examples: {
          'page too large': problemBody(invalid('limit must be at most 500.', 'limit')),
          'no such day': problemBody(invalid('from_date must be a date that exists, as YYYY-MM-DD.', 'from_date')),
          'time without an offset': problemBody(
            invalid(
              'updated_since must be a time as ISO 8601 with Z or an offset, such as 2026-11-21T10:30:00Z.',
              'updated_since',
            ),
          ),
          'unknown status': problemBody(
            invalid('status must be one of New, Contacted, Qualified, Proposal, Won, Lost.', 'status'),
          ),
        },
      },
    },
  }),
  createOrMerge: described({
    operationId: 'createOrMergeLead',
    tags: ['Leads'],
    summary: 'Create or merge a lead',
    description:
      'Answers 201 for a new lead. If a lead has this phone or email already, it answers 200 and merges into that lead: ' +
      'fields that you give replace, others stay, tags are united. Fields beside these, such as `budget` or `utm_campaign`, are kept ' +
      'with the lead as its enquiry. Retry safely with an `Idempotency-Key`.',
    requests: {
      'new lead': ravi,
      'same person again': { name: 'Ravi Kumar', phone: '098100 44321', status: 'Contacted', tags: ['hot'] },
      'only an email': { name: 'Meena Iyer', email: 'meena@example.com' },
    },
    answers: {
      200: {
        description: 'A lead had this phone or email, and your data was merged into it.',
        headers: ['Idempotent-Replayed'],
        examples: { merged: { data: merged } },
      },
      201: {
        description: 'A new lead.',
        headers: ['Idempotent-Replayed'],
        examples: { created: { data: created } },
      },
      400: {
        description: 'The body or a header is not valid; `field` names the parameter. Nothing was changed.',
        examples: {
          'no contact': problemBody(invalid('phone or email is required.', 'phone')),
          'no name': problemBody(invalid('name is required.', 'name')),
          'invalid email': problemBody(invalid('email is not a valid email address.', 'email')),
          'unknown owner': problemBody(
            invalid('assigned_to must be the email of an active user that you may see.', 'assigned_to'),
          ),
          'another body under the same key': problemBody(
            invalid('This Idempotency-Key was used before with another body. Use a new key.', 'Idempotency-Key'),
          ),
          'misspelled field': problemBody(
            invalid('phone or email is required. mobile is unknown. Did you mean phone?', 'phone'),
          ),
          'no body': problemBody(emptyBody()),
          'broken JSON': problemBody(invalid('The body is not valid JSON.')),
        },
      },
    },
  }),
  remove: described({
    operationId: 'deleteLead',
    tags: ['Leads'],
    summary: 'Delete a lead',
    description: 'Permanently, with its call logs, timeline and notes, and what webhooks kept of its person.',
    answers: {
      200: { description: 'The lead is deleted.', examples: { deleted: { data: { id, deleted: true } } } },
      400: {
        description: 'The id is not a UUID.',
        examples: { 'not a UUID': problemBody(invalid('id must be a UUID.', 'id')) },
      },
      404: {
        description: 'There is no such lead, or the user of the key may not see it.',
        examples: { 'not found': problemBody(notFound('No lead with this id.')) },
      },
    },
  }),
}
