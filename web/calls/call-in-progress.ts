import type { CallType } from '#contract/calls'
import type { LeadStatus } from '#contract/leads'
import { createDrafts } from '../ui/drafts.ts'
import { sharedState } from '../ui/shared-state.ts'

/** A call that is to be logged. */
export interface CallInProgress {
  /** Without a status, the form does not show the one it has. */
  lead: { id: string; name: string; status?: LeadStatus }
  call_type: CallType
  /** In milliseconds. Null if this browser did not see the call. */
  startedAt: number | null
  /** When the user came back to this page, or the call ended. */
  endedAt: number | null
  isFormOpen: boolean
  /** The Idempotency-Key of the form. */
  key: string
  /** The waiting call that the server rejected and this form corrects. */
  rejectedKey?: string
}

type Lead = CallInProgress['lead']

const stored = createDrafts<CallInProgress>('call-in-progress')
const only = 'only'
const state = sharedState<CallInProgress | null>(restored())

/** On a phone, the browser may drop the page during a call: loading it again is coming back. */
function restored(): CallInProgress | null {
  const call = stored.get(only)
  return call ? { ...call, isFormOpen: true } : null
}

document.addEventListener('visibilitychange', () => {
  const call = state.get()
  if (document.hidden || !call || call.startedAt === null || call.endedAt !== null) return
  set({ ...call, endedAt: Date.now(), isFormOpen: true })
})

function set(call: CallInProgress | null) {
  if (call) stored.set(only, call)
  else stored.delete(only)
  state.set(call)
}

export const useCallInProgress = state.use
export const endCall = () => set(null)

/** Remembers that a call button was pressed. The form opens when the user comes back from the phone. */
export const startCall = ({ id, name, status }: Lead) =>
  set({
    ...newCall({ id, name, ...(status && { status }) }),
    startedAt: Date.now(),
    isFormOpen: false,
  })

/** Opens the form for a call with the lead: the one in progress, or one that was made elsewhere. */
export function openCallForm({ id, name, status }: Lead, known: Partial<Omit<CallInProgress, 'lead'>> = {}) {
  const call = state.get()
  if (call?.lead.id === id) return showCallForm()
  set({ ...newCall({ id, name, ...(status && { status }) }), ...known })
}

export function showCallForm() {
  const call = state.get()
  if (call) set({ ...call, isFormOpen: true })
}

/** Closes the form. A call that was started here stays to be logged. */
export function closeCallForm() {
  const call = state.get()
  if (call) set(call.startedAt === null ? null : { ...call, isFormOpen: false })
}

/** Opens the form of a call again whose log was undone, unless another call is in progress. */
export function resumeCall(call: CallInProgress) {
  if (state.get() === null) set({ ...call, isFormOpen: true, key: newKey() })
}

const newCall = (lead: Lead): CallInProgress => ({
  lead,
  call_type: 'Outbound',
  startedAt: null,
  endedAt: null,
  isFormOpen: true,
  key: newKey(),
})

/** Browsers have no randomUUID without HTTPS. */
const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

/** In seconds, as far as this browser knows. */
export function callSeconds({ startedAt, endedAt }: CallInProgress, now = Date.now()): number | null {
  return startedAt === null ? null : Math.max(1, Math.round(((endedAt ?? now) - startedAt) / 1000))
}
