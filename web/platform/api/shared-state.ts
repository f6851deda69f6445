import { useSyncExternalStore } from 'react'

/** State of the page, outside of components. Components that `use` it render again when it changes. */
export function sharedState<T>(value: T) {
  const listeners = new Set<() => void>()
  const get = () => value
  /** Calls `listener` after each change. Returns a function that stops that. */
  const listen = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const set = (next: T) => {
    if (next === value) return
    value = next
    for (const listener of listeners) listener()
  }
  return { get, set, listen, use: () => useSyncExternalStore(listen, get) }
}
