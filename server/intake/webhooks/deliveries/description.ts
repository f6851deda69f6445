import { Type } from 'typebox'
import { described } from '../../../platform/http/describe.ts'
import { emptyBody, forbidden, invalid, notFound, problemBody, rateLimited } from '../../../platform/http/problem.ts'
import { tooLarge, unsupportedEncoding } from './read-bytes.ts'

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))

/** The usual names. Others are recognised too, so nothing of this is checked. */
const fields = {
  name: text('Full name. First and last names are joined.', 'Meena Iyer'),
  email: text('Email, in any case.', 'meena.iyer@example.com'),
  phone: text('Phone number, as people write it.', '098765 43210'),
  company: text('Company.', 'Iyer Interiors'),
  city: text('City.', 'Mumbai'),
  source: text('Source label. Default: that of the webhook.', 'Website'),
  message: text('Becomes the notes.', 'Please call after 6 pm'),
}

const Payload = Type.Object(fields, {
  title: 'WebhookPayload',
  additionalProperties: true,
  description: 'A person under any field names and however nested. A list of such objects is several leads.',
})

const meena = { name: 'Meena Iyer', phone: '098765 43210', city: 'Mumbai', message: 'Please call after 6 pm' }

const payloads = {
  'plain fields': { value: meena },
  'names of a form': {
    value: {
      form: 'Contact us',
      answers: {
        'First name': 'Arjun',
        'Last name': 'Nair',
        'Mobile number': '+91 99887 76655',
        'E-mail': 'arjun@example.com',
      },
    },
  },
  'several people': {
    value: {
      source: 'Expo 2026',
      leads: [
        { name: 'Kavya Rao', phone: '9822012345' },
        { name: 'Imran Shaikh', email: 'imran@example.com' },
      ],
    },
  },
}

const id = '7d0c4b52-9a1e-4f6b-8c37-1b2e5f4a6d90'

const results = {
  created: { data: { id, status: 'created' } },
  merged: { data: { id, status: 'merged' } },
  duplicate: { data: { id, status: 'duplicate' } },
  ignored: { data: { id: null, status: 'ignored' } },
  test: { data: { id: null, status: 'test' } },
}

const severalPeople = {
  data: {
    id,
    status: 'created',
    leads: [
      { id, status: 'created' },
      { id: 'c2a9e7d4-3b68-4e15-a0f7-9d8c6b5e4f21', status: 'created' },
    ],
  },
}

const challenge = { challenge: '1158201444' }

const disabledWebhook = problemBody(
  forbidden('WEBHOOK_DISABLED', 'This webhook is disabled. It can be enabled in the web settings.'),
)

const rejected = (deliveriesPerMinute: number) => ({
  403: {
    description: 'The webhook is disabled. The delivery is stored.',
    examples: { disabled: disabledWebhook },
  },
  404: {
    description: 'There is no webhook at this URL.',
    examples: {
      'unknown URL': problemBody(notFound('There is no webhook at this URL. Its URL may have been regenerated.')),
    },
  },
  429: {
    description: `The webhook has received its ${deliveriesPerMinute} deliveries of this minute. The delivery is stored.`,
    headers: ['Retry-After'],
    examples: {
      'too many': problemBody(
        rateLimited(`This webhook has received its ${deliveriesPerMinute} deliveries of this minute`, 42),
      ),
    },
  },
})

const noContact = problemBody(
  invalid('No email and no phone was found in this payload. Map them in the settings of this webhook, then replay it.'),
)

/** How the API description shows the webhook URL. `openapi.test.ts` sends the examples to the service. */
export const webhookDocs = (deliveriesPerMinute: number) => ({
  post: described({
    operationId: 'sendDelivery',
    tags: ['Webhooks'],
    security: [],
    summary: 'Receive a lead from any platform',
    description:
      'No Authorization header: the token in the URL is the secret. Fields are recognised by name and value. Every call is ' +
      'stored and can be replayed. At most 3 MiB, also compressed (`Content-Encoding` gzip, deflate or br).',
    requestBody: {
      required: true,
      description: 'JSON, under any content type, or a form.',
      content: {
        'application/json': { schema: Payload, examples: payloads },
        'application/x-www-form-urlencoded': { schema: Payload, examples: { form: { value: meena } } },
        'multipart/form-data': { schema: Payload, examples: { form: { value: meena } } },
      },
    },
    answers: {
      200: {
        description: 'The delivery is stored, and its lead is saved. Each success is 200.',
        examples: { ...results, 'several people': severalPeople },
        text: challenge,
      },
      400: {
        description: 'The body cannot be read, or has a lead field but no email and no phone. The delivery is stored.',
        examples: {
          'no contact': noContact,
          'broken JSON': problemBody(invalid('The body is not valid JSON.')),
          'no body': problemBody(emptyBody()),
        },
      },
      413: {
        description: 'The body is larger than 3 MiB, or has more than 100 records. The delivery is stored.',
        examples: { 'too large': problemBody(tooLarge()) },
      },
      415: {
        description: 'The `Content-Encoding` is not known. The delivery is stored.',
        examples: { 'unknown compression': problemBody(unsupportedEncoding()) },
      },
      ...rejected(deliveriesPerMinute),
    },
  }),
  get: described({
    operationId: 'sendDeliveryInQuery',
    tags: ['Webhooks'],
    security: [],
    summary: 'Receive a lead in the query, or answer a platform that checks the URL',
    description:
      'For telephone systems that send a lead in the query, under any names, also by a POST without a body. Without a query, nothing is stored and the ' +
      'answer is `ready`. A check with `hub.challenge` (Meta, WhatsApp) gets its challenge back.',
    query: {
      ...fields,
      'hub.mode': text('Of a check by Meta or WhatsApp: subscribe.', 'subscribe'),
      'hub.verify_token': text('Of such a check: the verify token of the webhook.', 'k7Qw2ZpXr9'),
      'hub.challenge': text('Of such a check: the text that is sent back.', '1158201444'),
    },
    answers: {
      200: {
        description: 'The delivery is stored, and its lead is saved; or nothing was sent.',
        examples: { ...results, ready: { data: { id: null, status: 'ready' } } },
        text: challenge,
      },
      400: {
        description: 'The query has a lead field but no email and no phone. The delivery is stored.',
        examples: {
          'no contact': noContact,
          'invalid challenge': problemBody(
            invalid('hub.challenge must be 1 to 1,000 printable ASCII characters.', 'hub.challenge'),
          ),
        },
      },
      ...rejected(deliveriesPerMinute),
      403: {
        description: 'The webhook is disabled, or the verify token of a platform’s check is wrong.',
        examples: {
          disabled: disabledWebhook,
          'wrong verify token': problemBody(
            forbidden(
              'PERMISSION_DENIED',
              'The verify token is not that of this webhook. Copy it from the settings of the webhook.',
            ),
          ),
        },
      },
    },
  }),
})
