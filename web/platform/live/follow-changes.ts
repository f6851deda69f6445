import { pageId } from '../api/own-changes.ts'
import { refreshAfterOwn, refreshSoon } from './refresh.ts'
import { keepStream, maxSilenceMs, type Notice } from './stream.ts'

const name = 'lead-engine-live'

/** In milliseconds: pages ask without being notified, for what was lost, and more often without a stream. */
const pollEvery = 300_000
const pollWithoutStream = 15_000

/**
 * Refreshes the page when leads or calls change, and calls `onRinging` when a call rings, until the returned function is called. Of all pages of a browser one has the
 * stream and passes its notices on: over HTTP/1.1 a browser opens six connections only.
 */
export function followChanges(onRinging: () => Promise<void>): () => void {
  const stopping = new AbortController()
  const pages = new BroadcastChannel(name)
  let heardAt = Number.NEGATIVE_INFINITY
  let polledAt = performance.now()

  const hear = (notice: Notice) => {
    heardAt = performance.now()
    if (notice === 'alive') return
    if (notice === 'ringing') return void onRinging()
    polledAt = heardAt
    void (notice.by === pageId ? refreshAfterOwn() : refreshSoon(notice.changed))
  }
  const hearAndPass = (notice: Notice) => {
    hear(notice)
    pages.postMessage(notice)
  }
  pages.onmessage = ({ data }: MessageEvent<Notice>) => hear(data)
  void holdStream(hearAndPass, stopping.signal)

  const polling = setInterval(() => {
    const now = performance.now()
    const hasStream = now - heardAt < maxSilenceMs
    if (document.hidden || now - polledAt < (hasStream ? pollEvery : pollWithoutStream)) return
    polledAt = now
    void refreshSoon(0)
    void onRinging()
  }, 5000)

  return () => {
    stopping.abort()
    pages.close()
    clearInterval(polling)
  }
}

/** Without HTTPS browsers have no locks: then each page has a stream of its own while it is visible. */
function holdStream(hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
  if (!navigator.locks) return holdWhileVisible(hear, signal)
  // Rejected if the page leaves before it got the lock.
  return navigator.locks.request(name, { signal }, () => keepStream(hear, signal)).catch(() => {})
}

async function holdWhileVisible(hear: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
  let visible: AbortController | null = null
  const follow = () => {
    if (document.hidden) {
      visible?.abort()
      visible = null
    } else if (!visible) {
      visible = new AbortController()
      void keepStream(hear, visible.signal)
    }
  }
  follow()
  document.addEventListener('visibilitychange', follow, { signal })
  signal.addEventListener('abort', () => visible?.abort())
}
