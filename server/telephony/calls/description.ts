import { sampleId as lead_id } from '../../platform/http/contract.ts'
import { described } from '../../platform/http/describe.ts'
import { invalid, notFound, problemBody } from '../../platform/http/problem.ts'

const id = 'b1d5c0aa-8f3e-4a57-9c46-2e7d0f6b9a12'

const answered = {
  id,
  lead_id,
  call_type: 'Outbound',
  duration_seconds: 95,
  outcome: 'Completed',
  notes: 'Will bring his family on Sunday.',
  called_at: '2026-11-21T05:10:00Z',
  created_at: '2026-11-21T05:12:30Z',
}

/** How the API description shows the operations on call logs. `openapi.test.ts` sends the examples to the service. */
export const callLogDocs = {
  list: described({
    operationId: 'listCallLogs',
    tags: ['Call logs'],
    summary: 'List call logs',
    description:
      'Newest call first. Without dates: the last 30 days, counted in India. To page, add `limit` to `offset` until ' +
      '`has_more` is false. To keep in step, give `updated_since`: the calls that were logged since, the last one last.',
    answers: {
      200: {
        description: 'A page of the calls that match all filters. Calls follow their lead: who sees it sees them.',
        examples: { 'one call': { data: [answered], pagination: { limit: 50, offset: 0, total: 1, has_more: false } } },
      },
      400: {
        description: 'A parameter is not valid; `field` names it.',
        examples: {
          'days reversed': problemBody(invalid('from_date must not be after to_date.', 'from_date')),
          'not a UUID': problemBody(invalid('lead_id must be a UUID.', 'lead_id')),
          'time without an offset': problemBody(
            invalid(
              'updated_since must be a time as ISO 8601 with Z or an offset, such as 2026-11-21T10:30:00Z.',
              'updated_since',
            ),
          ),
        },
      },
    },
  }),
  create: described({
    operationId: 'createCallLog',
    tags: ['Call logs'],
    summary: 'Log a call',
    description:
      'Retry safely with an `Idempotency-Key`: without one, a second request logs a second call. If a telephone system reports ' +
      'the same call by webhook, both are one call log.',
    requests: {
      'answered call': {
        lead_id,
        call_type: 'Outbound',
        duration_seconds: 95,
        notes: 'Will bring his family on Sunday.',
        called_at: '2026-11-21T10:40:00+05:30',
      },
      'missed call': { lead_id, call_type: 'Inbound', duration_seconds: 0, outcome: 'Missed' },
    },
    answers: {
      201: {
        description: 'The call is logged.',
        headers: ['Idempotent-Replayed'],
        examples: { logged: { data: answered } },
      },
      400: {
        description: 'The body or a header is not valid; `field` names the parameter. Nothing was changed.',
        examples: {
          'no duration': problemBody(invalid('duration_seconds is required.', 'duration_seconds')),
          'time without an offset': problemBody(
            invalid(
              'called_at must be a time as ISO 8601 with Z or an offset, such as 2026-11-21T10:30:00Z.',
              'called_at',
            ),
          ),
        },
      },
      404: {
        description: 'There is no such lead, or the user of the key may not see it.',
        examples: { 'no such lead': problemBody(notFound('There is no lead with this lead_id.', 'lead_id')) },
      },
    },
  }),
  remove: described({
    operationId: 'deleteCallLog',
    tags: ['Call logs'],
    summary: 'Delete a call log',
    description: 'Deletes it permanently.',
    answers: {
      200: { description: 'The call log is deleted.', examples: { deleted: { data: { id, deleted: true } } } },
      400: {
        description: 'The id is not a UUID.',
        examples: { 'not a UUID': problemBody(invalid('id must be a UUID.', 'id')) },
      },
      404: {
        description: 'There is no such call log, or the user of the key may not see its lead.',
        examples: { 'not found': problemBody(notFound('There is no such call log.')) },
      },
    },
  }),
}
