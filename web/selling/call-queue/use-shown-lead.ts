import { useEffect, useState } from 'react'
import type { CallQueue, QueuedLead } from '#contract/selling/call-queue'
import { placeOf } from './place.ts'
import { useSkips } from './skips.ts'

interface Queues {
  /** All reasons: for a lead that is opened from another group. */
  queue: CallQueue | undefined
  /** Those of the page: of one reason, or all. */
  listed: CallQueue | undefined
  /** When the queue was read. */
  now: number
}

/** Which lead of the queue is shown. It changes by what the user does only. */
export function useShownLead({ queue, listed, now }: Queues) {
  const { ordered, addSkip } = useSkips(listed?.leads ?? [], now)
  const [held, setHeld] = useState<QueuedLead | null>(null)
  const [logged, setLogged] = useState<string | null>(null)

  const all = [...ordered, ...(queue?.leads ?? [])]
  const place = (lead: QueuedLead) => placeOf(lead, now)
  const current = held && all.find(({ id }) => id === held.id)
  const isGone = held !== null && !current
  // The lead whose call was logged here leaves the queue by that.
  const kept = isGone && place(held) === logged ? null : held
  const shown = kept ? (current ?? kept) : (ordered.find((lead) => place(lead) !== logged) ?? ordered[0] ?? null)
  useEffect(() => setHeld(shown), [shown])

  return {
    shown,
    isGone: isGone && kept !== null,
    others: ordered.filter(({ id }) => id !== shown?.id),
    find: (id: string) => all.find((lead) => lead.id === id) ?? (held?.id === id ? held : undefined),
    show: setHeld,
    /** Goes on to the first lead, or `goTo`. Returns its undo. */
    next(after: QueuedLead, { isLogged = false, goTo }: { isLogged?: boolean; goTo?: QueuedLead | undefined } = {}) {
      const undoSkip = addSkip(after)
      setLogged(isLogged ? place(after) : null)
      setHeld(goTo ?? null)
      return () => {
        undoSkip()
        setHeld(after)
      }
    },
  }
}
