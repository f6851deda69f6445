import { sharedState } from './ui/shared-state.ts'

const connected = sharedState(true)

export const { use: useConnected, get: isConnected, listen: onConnection } = connected

/** Told by every request: whether the server answered. While it does not, it is asked every three seconds. */
export function noteConnection(answered: boolean) {
  if (answered === connected.get()) return
  connected.set(answered)
  if (!answered) void askUntilBack()
}

addEventListener('offline', () => noteConnection(false))

async function askUntilBack() {
  while (!connected.get()) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const ready = await fetch('/readyz').then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) noteConnection(true)
  }
}
