import { useSyncExternalStore } from 'react'

/** Something of the whole page, and not of one component, that whoever shows it hears of. */
export function pageState<T>(value: T) {
  const listeners = new Set<() => void>()
  const get = () => value
  /** Calls `tell` at each change; answers how to stop that. */
  const listen = (tell: () => void) => {
    listeners.add(tell)
    return () => void listeners.delete(tell)
  }
  const set = (next: T) => {
    if (next === value) return
    value = next
    for (const tell of listeners) tell()
  }
  return { get, set, listen, use: () => useSyncExternalStore(listen, get) }
}
