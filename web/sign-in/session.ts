import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

/** Told when the session ended elsewhere or by time, and when there is one again. */
export function noteSession(has: 'ended' | 'begun') {
  ended = has === 'ended'
  for (const tell of listeners) tell()
}

export const useSessionEnded = () =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
    () => ended,
  )
