import { useState } from 'react'
import type { QueuedLead } from '#contract/selling/call-queue'
import { createDrafts } from '../../platform/ui/drafts.ts'
import { istDay } from '../../platform/ui/time.ts'
import { placeOf } from './place.ts'

/** The skipped places of a day, in the order of skipping. */
interface Skips {
  day: string
  places: string[]
}

const stored = createDrafts<Skips>('skips')
const only = 'only'

/** The queue with the leads at its end that were skipped in this tab today. A promised call comes up again at its time. */
export function useSkips(leads: QueuedLead[], now: number) {
  const [skips, setSkips] = useState(() => stored.get(only))
  const day = istDay()
  const places = skips?.day === day ? skips.places : []
  const rank = (lead: QueuedLead) => places.indexOf(placeOf(lead, now))
  return {
    ordered: leads.toSorted((one, other) => rank(one) - rank(other)),
    /** Returns its undo. */
    addSkip(lead: QueuedLead) {
      const place = placeOf(lead, now)
      const set = (change: (others: string[]) => string[]) => {
        const before = stored.get(only)
        const others = before?.day === day ? before.places.filter((one) => one !== place) : []
        const next = { day, places: change(others) }
        stored.set(only, next)
        setSkips(next)
      }
      set((others) => [...others, place])
      return () => set((others) => others)
    },
  }
}
