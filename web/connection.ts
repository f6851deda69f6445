import { useSyncExternalStore } from 'react'

let connected = true
const listeners = new Set<() => void>()

/** Told by every request: whether the server answered. While it does not, it is asked every three seconds. */
export function noteConnection(answered: boolean) {
  if (answered === connected) return
  connected = answered
  for (const tell of listeners) tell()
  if (!connected) void askUntilBack()
}

export const useConnected = () => useSyncExternalStore(onConnection, () => connected)

/** Calls `tell` whenever the connection is lost or back; answers how to stop that. */
export function onConnection(tell: () => void) {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

export const isConnected = () => connected

async function askUntilBack() {
  while (!connected) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const ready = await fetch('/readyz').then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) noteConnection(true)
  }
}
