/**
 * In milliseconds: how long to spread requests after a change, and the id of the page that alone made it; that a call rings or has changed;
 * or that the stream works.
 */
export type Notice = { changed: number; by?: string | undefined } | 'ringing' | 'alive'

/** In milliseconds. The server sends something every 25 seconds. */
export const maxSilenceMs = 60_000
const checkEvery = 5000
/** After each rejection it waits twice as long, from `checkEvery` to this. */
const maxPauseMs = 30_000
/** After a lost connection many pages come back at the same time. */
const spreadAfterLoss = 2000

/** Keeps a stream of notices open until `signal`, also after sleep and lost connections. */
export function keepStream(heard: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
  let heardAt = performance.now()
  let lost = false
  let pause = checkEvery
  let source = open()

  function open() {
    // The server sends what happened since the page began to load.
    const opened = new EventSource(`/web/live?age=${Math.round(performance.now())}`)
    const hear = (notice: Notice) => {
      heardAt = performance.now()
      heard(notice)
    }
    opened.addEventListener('changed', ({ data }) => {
      const [spread, by] = data.split(' ')
      hear({ changed: Number(spread), by })
    })
    opened.addEventListener('ringing', () => hear('ringing'))
    opened.addEventListener('alive', () => hear('alive'))
    opened.onopen = () => {
      if (lost) {
        hear({ changed: spreadAfterLoss })
        hear('ringing')
      }
      lost = false
      pause = checkEvery
    }
    opened.onerror = () => {
      lost = true
      // The server answered, and not with a stream. If the session has ended, the next request shows it.
      if (opened.readyState === EventSource.CLOSED) hear({ changed: spreadAfterLoss })
    }
    return opened
  }

  const checking = setInterval(() => {
    const rejected = source.readyState === EventSource.CLOSED
    if (performance.now() - heardAt < (rejected ? pause : maxSilenceMs)) return
    if (rejected) pause = Math.min(2 * pause, maxPauseMs)
    source.close()
    lost = true
    heardAt = performance.now()
    source = open()
  }, checkEvery)

  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearInterval(checking)
      source.close()
      resolve()
    })
  })
}
