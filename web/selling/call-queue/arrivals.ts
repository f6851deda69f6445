import { plural } from '@lingui/core/macro'
import { maxListed, type QueuedLead, type QueueReason } from '#contract/selling/call-queue'
import { placeOf } from './place.ts'

/** Reasons that come at a moment: "3 new missed calls". */
const announced = {
  due: (n: number) => plural(n, { one: '# call due', other: '# calls due' }),
  missed: (n: number) => plural(n, { one: '# new missed call', other: '# new missed calls' }),
  enquired_again: (n: number) => plural(n, { one: '# new repeat enquiry', other: '# new repeat enquiries' }),
  new: (n: number) => plural(n, { one: '# new lead', other: '# new leads' }),
} satisfies Partial<Record<QueueReason, (n: number) => string>>

type AnnouncedReason = keyof typeof announced

export const arrivalText = (reason: AnnouncedReason, n: number) => announced[reason](n)

/** Returns the leads that came to the queue since its places were `known`. The end of a full list is not news: it moves up. */
export function arrivalsIn(leads: QueuedLead[], known: ReadonlySet<string>) {
  const isKnown = (lead: QueuedLead) => known.has(placeOf(lead))
  const end = leads.length < maxListed ? leads.length : leads.findLastIndex(isKnown)
  const came = leads.slice(0, end).filter((lead) => lead.reason in announced && !isKnown(lead))
  return Map.groupBy(came, ({ reason }) => reason as AnnouncedReason)
}
