import type { QueryPersister } from '@tanstack/react-query'
import { ApiProblem } from './api.ts'
import { isWithoutAnswer } from './connection.ts'
import { beyondLimits, limits, type StoredAnswer } from './offline-limits.ts'

/**
 * The last answers to some questions, stored in this browser for when there is no connection: the queue, today's calls, leads that were
 * opened. They are of one user, and go with the session. Each answer is an item of its own.
 */

interface Answer {
  /** When it came, in milliseconds. */
  at: number
  data: unknown
}

const userKey = 'answers-of'
const prefix = 'answer '
const writeAfterMs = 10_000

let userId = localStorage.getItem(userKey)
const unwritten = new Map<string, Answer>()
let timer: ReturnType<typeof setTimeout> | undefined

const storedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix))

function removeBeyondLimits() {
  const stored = storedKeys().map((key): StoredAnswer => {
    const text = localStorage.getItem(key) ?? ''
    return { key, at: Number.parseInt(text, 10), characters: text.length }
  })
  for (const key of beyondLimits(stored, Date.now())) localStorage.removeItem(key)
}

function read(id: string): Answer | null {
  const text = localStorage.getItem(prefix + id)
  return text === null ? null : { at: Number.parseInt(text, 10), data: JSON.parse(text.slice(text.indexOf(' '))) }
}

function write() {
  clearTimeout(timer)
  timer = undefined
  if (unwritten.size === 0) return
  // On another page of this browser, the user has signed out since, or another one has signed in.
  if (userId !== null && localStorage.getItem(userKey) === userId)
    try {
      for (const [id, { at, data }] of unwritten) localStorage.setItem(prefix + id, `${at} ${JSON.stringify(data)}`)
      removeBeyondLimits()
    } catch {
      // A browser without room stores none.
    }
  unwritten.clear()
}

// Answers are not stored for longer because the app is not opened.
removeBeyondLimits()
addEventListener('pagehide', write)
// A phone may drop a hidden page without a pagehide.
document.addEventListener('visibilitychange', () => document.hidden && write())

/** Stores answers for this user from now on, and removes those for another one. */
export function storeAnswersFor(id: string): void {
  if (userId === id && localStorage.getItem(userKey) === id) return
  removeAnswers()
  try {
    localStorage.setItem(userKey, id)
    userId = id
  } catch {
    // A browser without room stores none.
  }
}

/** Removes all of them at the end of the session: the next user of this browser must not read them. */
export function removeAnswers(): void {
  userId = null
  unwritten.clear()
  for (const key of [userKey, ...storedKeys()]) localStorage.removeItem(key)
}

/** The `meta` of queries whose last answer is shown without a connection. */
export const offline = { offline: true } as const

/** When the stored answers came that this page read, in milliseconds, by query. */
export const readAnswers = new Map<string, number>()

export const offlinePersister: QueryPersister = async (ask, context, { queryHash, state, meta }) => {
  if (!meta?.offline) return ask(context)
  try {
    const data = await ask(context)
    readAnswers.delete(queryHash)
    if (userId !== null) unwritten.set(queryHash, { at: Date.now(), data })
    timer ??= setTimeout(write, writeAfterMs)
    return data
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (!isWithoutAnswer(error.status)) {
      // Such as a lead that was deleted, or that the user no longer sees.
      unwritten.delete(queryHash)
      localStorage.removeItem(prefix + queryHash)
      throw error
    }
    const answer = unwritten.get(queryHash) ?? read(queryHash)
    const isUsable = answer && Date.now() - answer.at < limits.ageMs
    if (state.data !== undefined || !isUsable) throw error
    readAnswers.set(queryHash, answer.at)
    return answer.data
  }
}
