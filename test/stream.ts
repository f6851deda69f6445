import { ask } from './people.ts'

/** Opens the stream of a page that has been loading for `age` milliseconds, and collects its events until it ends. */
export async function openStream(url: string, cookie: string, age = 0) {
  const closing = new AbortController()
  const response = await fetch(`${url}/web/live?age=${age}`, { headers: { cookie }, signal: closing.signal })
  if (response.status !== 200) throw new Error(`the stream answered ${response.status}: ${await response.text()}`)
  const stream = {
    headers: response.headers,
    text: '',
    ended: false,
    events: (name = 'changed') => stream.text.split('\n').filter((line) => line === `event: ${name}`).length,
    close: () => closing.abort(),
  }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) stream.text += decoder.decode(bytes)
  }
  void read()
    .catch(() => {})
    .finally(() => {
      stream.ended = true
    })
  return stream
}

export type Stream = Awaited<ReturnType<typeof openStream>>

/** What a request for a stream is answered, if it is rejected. */
export const rejectedStream = (url: string, cookie: string) => ask(url, null, 'GET', '/web/live', undefined, { cookie })
