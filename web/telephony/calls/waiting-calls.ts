import { t } from '@lingui/core/macro'
import type { LeadChange } from '#contract/crm/leads'
import type { LoggedCall, NewCallOfLead } from '#contract/telephony/calls'
import { ApiProblem, patch, post } from '../../platform/api/api.ts'
import { isWithoutAnswer } from '../../platform/api/connection.ts'
import { sharedState } from '../../platform/api/shared-state.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import type { Reassigned } from './notify-of-reassigned.ts'

export interface CallToSend {
  user_id: string
  lead: { id: string; name: string }
  call: NewCallOfLead
  /** What is changed of the lead after the call. */
  change?: LeadChange
  /** Sent as Idempotency-Key: without an answer, the server may have logged the call. */
  key: string
}

export interface WaitingCall extends CallToSend {
  /** Why the server rejected it. */
  problem?: string
  /** Only the change of the lead waits. */
  isLogged?: true
}

const max = 50
const name = 'waiting-calls'
const state = sharedState(read())

// Other tabs send them, too.
addEventListener('storage', ({ key }) => key === name && state.set(read()))

function read(): WaitingCall[] {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '[]')
  } catch {
    return []
  }
}

function write(change: (calls: WaitingCall[]) => WaitingCall[]) {
  const calls = change(read())
  localStorage.setItem(name, JSON.stringify(calls))
  state.set(calls)
}

/** The calls of all users of this browser. */
export const useWaitingCalls = state.use

export const removeWaitingCall = (key: string) => write((calls) => calls.filter((call) => call.key !== key))

/**
 * Logs a call. Returns null if it waits in this browser: the server did not answer, or earlier calls wait, which are sent first because
 * each may change the status of the same lead.
 */
export async function logCall(call: CallToSend): Promise<LoggedCall | null> {
  const isFirst = waitingOf(call.user_id).length === 0
  const logged = isFirst ? await postCall(call).catch(nullWithoutAnswer) : null
  if (!logged) keep(call)
  else if (!logged.is_reassigned)
    await changeLead(call)
      .catch(() => keep({ ...call, isLogged: true }))
      .catch(notifyProblem)
  return logged
}

function nullWithoutAnswer(error: unknown): null {
  if (error instanceof ApiProblem && isWithoutAnswer(error.status)) return null
  throw error
}

function keep(call: WaitingCall) {
  if (read().length >= max)
    throw problem(t`${max} calls wait already. Keep this page open, and save again when they are sent.`)
  try {
    write((calls) => [...calls, call])
  } catch {
    throw problem(
      t`This browser has no room for the call. Keep this page open, and save again when the connection is back.`,
    )
  }
}

const problem = (message: string) => new ApiProblem(0, { code: 'OFFLINE', message })

const waitingOf = (userId: string) => read().filter((call) => call.user_id === userId && call.problem === undefined)

/** In milliseconds. */
const timeoutMs = 15_000

const postCall = ({ lead, call, key }: CallToSend) =>
  post<LoggedCall>(`/web/leads/${lead.id}/calls`, call, {
    headers: { 'idempotency-key': key },
    signal: AbortSignal.timeout(timeoutMs),
  })

/** Changes the lead of a call that is logged. If the server rejects that, the call must not look unsaved: it would be logged twice. */
async function changeLead({ lead, change }: CallToSend): Promise<void> {
  if (!change) return
  await patch(`/web/leads/${lead.id}`, change).catch((error) => {
    if (isToSendLater(error)) throw error
    const { name } = lead
    notifyProblem(problem(t`Call with ${name} logged, but its lead was not changed: ${{ problem: error.message }}`))
  })
}

async function sendWaiting(call: WaitingCall): Promise<LoggedCall | undefined> {
  if (!call.isLogged) {
    const logged = await postCall(call)
    if (logged.is_reassigned) return logged
    if (call.change) set(call.key, { isLogged: true })
  }
  await changeLead(call)
  return undefined
}

const isToSendLater = (error: unknown) =>
  !(error instanceof ApiProblem) ||
  isWithoutAnswer(error.status) ||
  [401, 429].includes(error.status) ||
  error.status >= 500

let isSending = false

export const notifyOfReassigned = async (calls: Reassigned[]) =>
  (await import('./notify-of-reassigned.ts')).notifyOfReassigned(calls)

/** Sends the waiting calls of a user, in order, until one has to wait on. Returns how many were logged, and those of reassigned leads. */
export async function sendWaitingCalls(userId: string): Promise<{ sent: number; reassigned: Reassigned[] }> {
  const reassigned: Reassigned[] = []
  let sent = 0
  if (isSending) return { sent, reassigned }
  isSending = true
  try {
    for (let [call] = waitingOf(userId); call; [call] = waitingOf(userId)) {
      await sendWaiting(call)
        .then((logged) => {
          removeWaitingCall(call.key)
          sent++
          if (logged) reassigned.push({ lead: call.lead, logged })
        })
        .catch((error) => {
          if (isToSendLater(error)) throw error
          set(call.key, { problem: error.message })
        })
    }
  } catch {
    // They wait on.
  } finally {
    isSending = false
  }
  return { sent, reassigned }
}

const set = (key: string, known: Pick<WaitingCall, 'problem' | 'isLogged'>) =>
  write((calls) => calls.map((call) => (call.key === key ? { ...call, ...known } : call)))
