import { answerMessages } from '../../platform/threads/answer-messages.ts'
import { contactsIn } from './contacts-in.ts'
import {
  type OtherFields,
  type PayloadInput,
  readOtherFieldsSync,
  readPayloadSync,
  showPayloadSync,
} from './reading.ts'

export type PayloadTask =
  | { task: 'read' | 'show' | 'contacts'; input: PayloadInput }
  | { task: 'fields'; input: OtherFields }

answerMessages(({ task, input }: PayloadTask) => {
  if (task === 'fields') return readOtherFieldsSync(input)
  if (task === 'read') return readPayloadSync(input)
  if (task === 'show') return showPayloadSync(input)
  return contactsIn(input.body, input.content_type, input.country)
})
