import type { LeadStatus } from '#contract/crm/leads'
import type { CallType } from '#contract/telephony/calls'
import { sharedState } from '../../platform/api/shared-state.ts'
import { createDrafts } from '../../platform/ui/drafts.ts'

/** A call that is to be logged. */
export interface CallInProgress {
  /** What the page knows of the lead. Without its status and next call, the form loads them. */
  lead: { id: string; name: string; status?: LeadStatus; call_again_at?: string | null; phone?: string | null }
  call_type: CallType
  /** In milliseconds. Null if this browser did not see the call. */
  startedAt: number | null
  /** When the user came back to this page, or the call ended. */
  endedAt: number | null
  isFormOpen: boolean
  /** Call next shows another lead meanwhile. */
  isAside?: boolean
  /** The Idempotency-Key of the form. */
  key: string
  /** The waiting call that the server rejected and this form corrects. */
  rejectedKey?: string
}

type Lead = CallInProgress['lead']

const stored = createDrafts<CallInProgress[]>('calls-in-progress')
const only = 'only'
const maxKept = 20
/** The last one is the newest, or the one whose form is open. */
const state = sharedState<CallInProgress[]>(restored())

/**
 * On a phone, the browser may drop the page during a call: loading it again is coming back. A form that was open already stays so on the
 * page of its lead.
 */
function restored(): CallInProgress[] {
  const before = stored.get(only) ?? []
  const calls = before.map((call, place) => {
    const isBack = call.startedAt !== null && call.endedAt === null
    const isShown = call.isFormOpen && location.pathname === `/leads/${call.lead.id}`
    const isFormOpen = place === before.length - 1 && (isBack || isShown)
    return { ...call, endedAt: isBack ? Date.now() : call.endedAt, isFormOpen }
  })
  stored.set(only, calls)
  return calls
}

function set(calls: CallInProgress[]) {
  const kept = calls.slice(-maxKept)
  stored.set(only, kept)
  state.set(kept)
}

/** Puts a call last, with its form open or closed, and closes all other forms. */
const put = (call: CallInProgress) =>
  set([
    ...state
      .get()
      .filter(({ key, lead }) => key !== call.key && lead.id !== call.lead.id)
      .map((other) => ({ ...other, isFormOpen: false })),
    { ...call, isAside: false },
  ])

document.addEventListener('visibilitychange', () => {
  const call = state.get().at(-1)
  if (document.hidden || !call || call.startedAt === null || call.endedAt !== null) return
  put({ ...call, endedAt: Date.now(), isFormOpen: true })
})

export const useCallsInProgress = state.use

export const endCall = (key: string) => set(state.get().filter((call) => call.key !== key))

/** Remembers that a call button was pressed. The form opens when the user comes back from the phone. */
export function startCall(lead: Lead) {
  const startedAt = Date.now()
  // A call before this one has ended.
  set(state.get().map((call) => ({ ...call, endedAt: call.endedAt ?? startedAt })))
  put({ ...newCall(lead), startedAt, isFormOpen: false })
}

/** Opens the form for a call with the lead: the one in progress, or one that was made elsewhere. */
export function openCallForm(lead: Lead, known: Partial<Omit<CallInProgress, 'lead'>> = {}) {
  const call = state.get().find((one) => one.lead.id === lead.id)
  put(call ? { ...call, isFormOpen: true } : { ...newCall(lead), ...known })
}

/** Closes the form. A call that was started here stays to be logged. */
export function closeCallForm(call: CallInProgress) {
  if (call.startedAt === null) endCall(call.key)
  else put({ ...call, isFormOpen: false })
}

/** Closes the form on the page of the queue, which shows another lead. */
export const putAside = (key: string) =>
  set(state.get().map((call) => (call.key === key ? { ...call, isFormOpen: false, isAside: true } : call)))

/** Closes the form as the user goes to another page: it becomes a bar there. */
export const minimizeForms = () => {
  if (state.get().some(({ isFormOpen }) => isFormOpen)) set(state.get().map((call) => ({ ...call, isFormOpen: false })))
}

/** Opens the form of a call again whose log was undone, unless another form is open. */
export function resumeCall(call: CallInProgress) {
  const resumed = { ...call, key: newKey() }
  if (state.get().some(({ isFormOpen }) => isFormOpen)) set([{ ...resumed, isFormOpen: false }, ...state.get()])
  else put({ ...resumed, isFormOpen: true })
}

const newCall = ({ id, name, status, call_again_at, phone }: Lead): CallInProgress => ({
  lead: {
    id,
    name,
    ...(status && { status }),
    ...(call_again_at !== undefined && { call_again_at }),
    ...(phone && { phone }),
  },
  call_type: 'Outbound',
  startedAt: null,
  endedAt: null,
  isFormOpen: true,
  key: newKey(),
})

/** Browsers have no randomUUID without HTTPS. */
export const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

/** In seconds, as far as this browser knows. */
export function callSeconds({ startedAt, endedAt }: CallInProgress, now = Date.now()): number | null {
  return startedAt === null ? null : Math.max(1, Math.round(((endedAt ?? now) - startedAt) / 1000))
}
