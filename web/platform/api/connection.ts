import { sharedState } from './shared-state.ts'

const connected = sharedState(true)

export const { use: useConnected, get: isConnected, listen: onConnection } = connected

/** Why the database accepts no writes while the server answers reads, as the server says it; null if it accepts them. */
const unwritable = sharedState<string | null>(null)

export const { use: useUnwritable } = unwritable

/** Whether a proxy or the service said that there is no answer; 0: no response came. */
export const isWithoutAnswer = (status: number) => [0, 502, 503, 504].includes(status)

/** Records whether the server answered a request. If it did not, asks every three seconds until it does. */
export function setConnected(answered: boolean) {
  if (answered === connected.get()) return
  connected.set(answered)
  if (!answered) void askUntilBack()
}

/** Records what an answer says of the connection, and of writes. Reads succeed while writes do not, and say nothing of them. */
export function noteAnswer({ status, headers }: Response) {
  const reason = headers.get('x-not-writable')
  setConnected(reason !== null || !isWithoutAnswer(status))
  if (reason === null) return
  unwritable.set(reason)
  void askUntilBack()
}

addEventListener('offline', () => setConnected(false))

let isAsking = false

async function askUntilBack() {
  if (isAsking) return
  isAsking = true
  while (!connected.get() || unwritable.get()) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const answer = await fetch('/readyz').catch(() => null)
    if (answer?.ok) {
      unwritable.set(null)
      setConnected(true)
    } else if (answer?.headers.has('x-not-writable')) setConnected(true)
  }
  isAsking = false
}
