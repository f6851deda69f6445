import type { QueuedLead } from '#contract/selling/call-queue'

/** A lead that is to be called for another reason, or again, has a new place. */
export const placeOf = ({ id, reason, since }: QueuedLead) => `${id} ${reason} ${since}`
