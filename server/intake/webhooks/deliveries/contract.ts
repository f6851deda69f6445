import { type Static, Type } from 'typebox'
import { Nullable, Uuid } from '../../../platform/http/contract.ts'

/** What a sender receives. */
export const WebhookResponse = Type.Object(
  {
    data: Type.Object(
      {
        id: Nullable(Uuid('The lead; null where none was made.')),
        status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'ready', 'waiting'], {
          title: 'DeliveryStatus',
          description:
            'duplicate: the platform repeated a delivery, and nothing was changed. ignored: an event without any lead field, ' +
            'stored. test: a test lead or a handshake of the platform, stored without a lead. ready: nothing was sent. waiting: the account is suspended; the delivery is stored, and processed when it is resumed.',
        }),
        leads: Type.Optional(
          Type.Array(
            Type.Object({
              id: Nullable(Uuid('The lead of this record; null where none was made.')),
              status: Type.Enum(['created', 'merged', 'duplicate', 'ignored', 'test', 'rejected', 'waiting'], {
                title: 'RecordStatus',
                description: 'How this record ended. waiting: it is stored, and processed later.',
              }),
            }),
            { description: 'Of a request with several records: the result of each, in their order.' },
          ),
        ),
      },
      { description: 'The result.' },
    ),
  },
  { title: 'WebhookResponse' },
)
export type WebhookResponse = Static<typeof WebhookResponse>
