import type { QueuedLead } from '#contract/selling/call-queue'

/** A lead that is to be called for another reason, or again, has a new place, and a promised call has one before its time. */
export const placeOf = ({ id, reason, since }: QueuedLead, now: number) =>
  `${id} ${reason} ${since}${isSoon({ reason, since }, now) ? ' soon' : ''}`

/** Whether the time of a promised call is still to come. */
export const isSoon = ({ reason, since }: Pick<QueuedLead, 'reason' | 'since'>, now: number) =>
  reason === 'due' && Date.parse(since) > now

/** Whether a promised call came up at this moment or later, or comes up soon. */
export const isDueSince = ({ reason, since }: QueuedLead, moment: number) =>
  reason === 'due' && Date.parse(since) >= moment
