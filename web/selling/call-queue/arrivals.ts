import { plural } from '@lingui/core/macro'
import { maxListed, type QueuedLead, type QueueReason } from '#contract/selling/call-queue'
import { isSoon, placeOf } from './place.ts'

/** Reasons that come at a moment: "3 new missed calls". */
const announced = {
  missed: (n: number) => plural(n, { one: '# new missed call', other: '# new missed calls' }),
  enquired_again: (n: number) => plural(n, { one: '# new repeat enquiry', other: '# new repeat enquiries' }),
  new: (n: number) => plural(n, { one: '# new lead', other: '# new leads' }),
} satisfies Partial<Record<QueueReason, (n: number) => string>>

type AnnouncedReason = keyof typeof announced

/** What a page has heard of a queue. */
export interface News {
  /** Places that are no news. Null: the queue was not read yet. */
  known: ReadonlySet<string> | null
  /** Places that came and were not opened. */
  open: ReadonlySet<string>
}

export const noNews: News = { known: null, open: new Set() }

/** So many places are remembered: an older one may be announced again. */
const maxKnown = 1000

/** Adds what came to the queue. What is there when it is read first is no news, nor the end of a full list, which moves up. */
export function hear({ known, open }: News, leads: QueuedLead[], now: number): News {
  const places = leads.map((lead) => placeOf(lead, now))
  if (known === null) return { known: new Set(places), open }
  const isHeard = (place: string) => known.has(place) || open.has(place)
  const end = leads.length < maxListed ? leads.length : places.findLastIndex(isHeard)
  const came = places.filter((place, at) => at < end && !isHeard(place) && isNews(leads[at]!, now))
  const left = places.filter((place) => !open.has(place) && !came.includes(place))
  return {
    known: new Set([...left, ...known].slice(0, maxKnown)),
    open: new Set([...open, ...came].filter((place) => places.includes(place))),
  }
}

/** A lead was opened: it is announced no longer. */
export function hearOpened({ known, open }: News, id: string): News {
  const opened = [...open].filter((place) => place.startsWith(`${id} `))
  if (opened.length === 0) return { known, open }
  return {
    known: new Set([...opened, ...(known ?? [])]),
    open: new Set([...open].filter((place) => !opened.includes(place))),
  }
}

const isNews = (lead: QueuedLead, now: number) =>
  lead.reason === 'due' ? !isSoon(lead, now) : lead.reason in announced

/** Promised calls, each by its lead, and how many leads came for another reason, of which a press opens the first. */
export interface Arrivals {
  due: QueuedLead[]
  others: { text: string; lead: QueuedLead }[]
}

/** What came and was not opened. A lead that was called meanwhile is dealt with. */
export function arrivalsIn({ open }: News, leads: QueuedLead[], now: number): Arrivals {
  const came = leads.filter((lead) => open.has(placeOf(lead, now)) && !isCalledSince(lead))
  const due = came.filter(({ reason }) => reason === 'due')
  const others = Map.groupBy(
    came.filter(({ reason }) => reason !== 'due'),
    ({ reason }) => reason as AnnouncedReason,
  )
  return {
    due,
    others: [...others].map(([reason, some]) => ({ text: announced[reason](some.length), lead: some[0]! })),
  }
}

const isCalledSince = ({ last_call_at, since }: QueuedLead) =>
  last_call_at !== null && Date.parse(last_call_at) > Date.parse(since)
