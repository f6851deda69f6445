import { type QueueReason, queueReasons } from '#contract/selling/call-queue'
import { readChoice, text } from '../../platform/api/search.ts'

/** The queue's part of the URL. */
export interface QueueSearch {
  /** Email of the owner, if it is not the user. */
  of?: string | undefined
  /** Leads of one reason alone. */
  group?: QueueReason | undefined
}

export const queueSearch = (search: Record<string, unknown>): QueueSearch => ({
  of: text(search, 'of'),
  group: readChoice(search, 'group', queueReasons),
})
