import { maxListed, type QueuedLead, type QueueReason } from '#contract/call-queue'
import { placeOf } from './place.ts'

/** Reasons that come at a moment, with what several are called. */
export const announced = {
  due: ['call due', 'calls due'],
  missed: ['new missed call', 'new missed calls'],
  enquired_again: ['new repeat enquiry', 'new repeat enquiries'],
  new: ['new lead', 'new leads'],
} satisfies Partial<Record<QueueReason, [string, string]>>

export type AnnouncedReason = keyof typeof announced

/** Returns the leads that came to the queue since its places were `known`. The end of a full list is not news: it moves up. */
export function arrivalsIn(leads: QueuedLead[], known: ReadonlySet<string>) {
  const isKnown = (lead: QueuedLead) => known.has(placeOf(lead))
  const end = leads.length < maxListed ? leads.length : leads.findLastIndex(isKnown)
  const came = leads.slice(0, end).filter((lead) => lead.reason in announced && !isKnown(lead))
  return Map.groupBy(came, ({ reason }) => reason as AnnouncedReason)
}
