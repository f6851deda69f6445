import { useEffect, useState } from 'react'
import type { CallQueue, QueuedLead } from '#contract/selling/call-queue'
import { arrivalsIn } from './arrivals.ts'
import { placeOf } from './place.ts'
import { useSkips } from './skips.ts'

interface Queues {
  /** All reasons: for what comes. */
  queue: CallQueue | undefined
  /** Those of the page: of one reason, or all. */
  listed: CallQueue | undefined
}

/** Which lead of the queue is shown. It changes by what the user does only; what comes meanwhile are arrivals. */
export function useShownLead({ queue, listed }: Queues) {
  const { ordered, addSkip } = useSkips(listed?.leads ?? [])
  const [held, setHeld] = useState<QueuedLead | null>(null)
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  const [logged, setLogged] = useState<string | null>(null)

  const all = [...ordered, ...(queue?.leads ?? [])]
  const current = held && all.find(({ id }) => id === held.id)
  const isGone = held !== null && !current
  // The lead whose call was logged here leaves the queue by that.
  const kept = isGone && placeOf(held) === logged ? null : held
  const shown = kept ? (current ?? kept) : (ordered.find((lead) => placeOf(lead) !== logged) ?? ordered[0] ?? null)
  useEffect(() => {
    if (shown === held) return
    // What was there when a lead came up is not announced.
    if (!kept) setKnown(new Set(queue?.leads.map(placeOf)))
    setHeld(shown)
  }, [shown, held, kept, queue])

  return {
    shown,
    isGone: isGone && kept !== null,
    others: ordered.filter(({ id }) => id !== shown?.id),
    arrivals: kept ? arrivalsIn(queue?.leads ?? [], known) : new Map<never, never>(),
    find: (id: string) => all.find((lead) => lead.id === id) ?? (held?.id === id ? held : undefined),
    /** Shows a lead, and announces it and `seen` no longer. */
    show(lead: QueuedLead, seen: QueuedLead[] = []) {
      setKnown((before) => new Set([...before, ...[lead, ...seen].map(placeOf)]))
      setHeld(lead)
    },
    /** Goes on to the first lead. */
    next(after: QueuedLead, { isLogged = false } = {}) {
      addSkip(after)
      setLogged(isLogged ? placeOf(after) : null)
      setHeld(null)
    },
  }
}
