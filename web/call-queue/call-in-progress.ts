import { useEffect, useState } from 'react'
import type { QueuedLead } from '#contract/call-queue'
import { createDrafts } from '../ui/drafts.ts'
import { useOnVisible } from '../ui/use-on-visible.ts'

interface CallInProgress {
  lead: QueuedLead
  /** When the call was started, and when the user came back to this page. Null if the call was made elsewhere. */
  startedAt: number | null
  endedAt: number | null
}

const stored = createDrafts<CallInProgress>('call-in-progress')
const only = 'only'

/**
 * The call whose form is open. It survives a reload: on a phone, the browser may drop the page during a call. The time away
 * from the page is the length of the call.
 */
export function useCallInProgress() {
  const [call, setCall] = useState<CallInProgress | null>(() => stored.get(only) ?? null)
  useEffect(() => {
    if (call) stored.set(only, call)
    else stored.delete(only)
  }, [call])
  useOnVisible(() => setCall((held) => (held?.startedAt && !held.endedAt ? { ...held, endedAt: Date.now() } : held)))
  return { call, setCall }
}

/** In seconds, as far as this page knows. */
export function callSeconds({ startedAt, endedAt }: CallInProgress, now = Date.now()): number | null {
  return startedAt === null ? null : Math.max(1, Math.round(((endedAt ?? now) - startedAt) / 1000))
}
