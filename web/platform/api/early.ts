/** In milliseconds: an older answer may be out of date. */
const maxAgeMs = 10_000

const asked = new Map<string, Promise<Response>>()

/** Sends a request that the first page will need, before its code is there. */
export function askEarly(path: string): Promise<Response> {
  const answer = fetch(path)
  asked.set(path, answer)
  // The app learns of a failure when it takes the answer. An answer that it does not take would hold its connection.
  answer.catch(() => {})
  setTimeout(
    () =>
      void takeEarly(path)
        ?.then(({ body }) => body?.cancel())
        .catch(() => {}),
    maxAgeMs,
  )
  return answer
}

/** Returns the answer to an early request, once. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = asked.get(path)
  asked.delete(path)
  return answer
}
