import { sharedState } from './ui/shared-state.ts'

const connected = sharedState(true)

export const { use: useConnected, get: isConnected, listen: onConnection } = connected

/** Records whether the server answered a request. If it did not, asks every three seconds until it does. */
export function setConnected(answered: boolean) {
  if (answered === connected.get()) return
  connected.set(answered)
  if (!answered) void askUntilBack()
}

addEventListener('offline', () => setConnected(false))

async function askUntilBack() {
  while (!connected.get()) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const ready = await fetch('/readyz').then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) setConnected(true)
  }
}
