/** Names this page in its changes, and in the events of them. */
export const pageId = Math.random().toString(36).slice(2)

/** In milliseconds since 1970: when this page had the answer to its last change. */
let answeredAt = 0
let running = 0

/** Records that this page sends a change. Returns a function that records its answer. */
export function noteChange(): () => void {
  running++
  return () => {
    running--
    answeredAt = Date.now()
  }
}

export const isChanging = () => running > 0

export const lastChangeAt = () => answeredAt
