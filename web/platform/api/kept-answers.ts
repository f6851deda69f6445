import type { QueryPersister } from '@tanstack/react-query'
import { ApiProblem } from './api.ts'
import { isConnected, isWithoutAnswer, onConnection } from './connection.ts'
import { type KeptAnswer, limits, withinLimits } from './kept-limits.ts'
import { sharedState } from './shared-state.ts'

/**
 * The last answers to some questions, kept in this browser for when there is no connection: the queue, today's calls, leads that were
 * opened. They are of one user, and go with the session.
 */

interface Kept {
  user_id: string
  answers: Record<string, KeptAnswer>
}

const name = 'kept-answers'
/** In milliseconds: answers that come together are written together. */
const writeAfter = 1000

const nothing: Kept = { user_id: '', answers: {} }
let own = read()
let timer: ReturnType<typeof setTimeout> | undefined
removeOld()

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? nothing
  } catch {
    return nothing
  }
}

/** Answers are not kept for longer because the app is not opened. */
function removeOld() {
  const answers = withinLimits(own.answers, Date.now())
  if (Object.keys(answers).length === Object.keys(own.answers).length) return
  own = { ...own, answers }
  store()
}

function store() {
  try {
    localStorage.setItem(name, JSON.stringify(own))
  } catch {
    // A browser without room keeps none.
  }
}

function write() {
  timer = undefined
  const { user_id, answers } = read()
  // On another page of this browser, the user has signed out since, or another one has signed in.
  if (user_id === '' || user_id !== own.user_id) return
  const newer = Object.entries(own.answers).filter(([id, { at }]) => at >= (answers[id]?.at ?? 0))
  own = { user_id, answers: withinLimits({ ...answers, ...Object.fromEntries(newer) }, Date.now()) }
  store()
}

function keep(id: string, data: unknown) {
  if (own.user_id === '') return
  own = { ...own, answers: { ...own.answers, [id]: { at: Date.now(), data } } }
  timer ??= setTimeout(write, writeAfter)
}

function forget(id: string) {
  const { user_id, answers } = read()
  if (user_id !== own.user_id || !(id in { ...answers, ...own.answers })) return
  delete own.answers[id]
  delete answers[id]
  own = { user_id, answers: { ...answers, ...own.answers } }
  store()
}

addEventListener('pagehide', () => {
  if (timer === undefined) return
  clearTimeout(timer)
  write()
})

/** Keeps answers for this user from now on, and forgets those for another one. */
export function keepAnswersFor(userId: string): void {
  if (own.user_id === userId && read().user_id === userId) return
  own = { user_id: userId, answers: {} }
  store()
}

/** Forgets all of them at the end of the session: the next user of this browser must not read them. */
export function forgetAnswers(): void {
  own = nothing
  localStorage.removeItem(name)
}

const shownFrom = sharedState<number | null>(null)

/** When the oldest of the kept answers came that the page shows, in milliseconds. */
export const useShownFrom = shownFrom.use

onConnection(() => {
  if (isConnected()) shownFrom.set(null)
})

/** The `meta` of queries whose last answer is shown without a connection. */
export const kept = { kept: true } as const

export const keepingPersister: QueryPersister = async (ask, context, { queryHash, state, meta }) => {
  if (!meta?.kept) return ask(context)
  try {
    const data = await ask(context)
    keep(queryHash, data)
    return data
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (!isWithoutAnswer(error.status)) {
      // Such as a lead that was deleted, or that the user no longer sees.
      forget(queryHash)
      throw error
    }
    const answer = own.answers[queryHash]
    const isUsable = answer && Date.now() - answer.at < limits.ageMs
    if (state.data !== undefined || !isUsable) throw error
    shownFrom.set(Math.min(answer.at, shownFrom.get() ?? answer.at))
    return answer.data
  }
}
