import { answerMessages } from '../threads/answer-messages.ts'
import { type PayloadInput, readPayloadSync, showPayloadSync } from './payload-reading.ts'

export type PayloadTask = { task: 'read' | 'show'; input: PayloadInput }

answerMessages(({ task, input }: PayloadTask) => (task === 'read' ? readPayloadSync(input) : showPayloadSync(input)))
