import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setPassword } from '../../server/access/sign-in/credentials.ts'
import { generatePassword } from '../../server/access/sign-in/password.ts'
import type { Sql } from '../../server/platform/database/sql.ts'
import { type Answer, ask } from '../../test/people.ts'

/** As in web/platform/live/refresh.ts. */
const minPauseMs = 1000
const waitsPerRefresh = 4
/** As in web/telephony/ringing/refresh.ts. */
const shortestOfRinging = 500

/** Returns the cookie of a new session, from an IP address of its own, because attempts are limited. */
export async function signIn(
  { directory, url }: { directory: Sql; url: string },
  { id, email }: { id: string; email: string },
  ip: string,
) {
  const password = generatePassword()
  await setPassword(directory, id, password)
  const headers = { origin: url, 'x-forwarded-for': ip }
  const answer = await ask(url, null, 'POST', '/auth/sign-in/email', { email, password }, headers)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

export function openStream(
  url: string,
  cookie: string,
  changed: (spread: number) => void,
  ringing = () => {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}/web/live`, { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream answered ${response.statusCode}`))
      response.setEncoding('utf8').on('data', (text: string) => {
        const event = /event: changed\ndata: (\d+)/.exec(text)
        if (event) changed(Number(event[1]))
        if (text.includes('event: ringing')) ringing()
      })
      response.on('error', () => {})
      resolve(response)
    }).on('error', reject)
  })
}

/** A page without a browser: it asks for its data as the web app does when something changed, a call queue when it is announced to its user. */
export async function openPage(url: string, cookie: string, path: string, answered: (data: Answer['body']) => void) {
  const closing = new AbortController()
  let wanted = false
  let running: Promise<void> | null = null
  let requests = 0
  let failed = 0
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {})
  const refresh = async (spread: number, pauseAfter: (took: number) => number) => {
    await pause(Math.random() * spread)
    while (wanted && !closing.signal.aborted) {
      wanted = false
      const start = performance.now()
      const { status, body } = await ask(url, null, 'GET', path, undefined, { cookie })
      requests++
      if (status === 200) answered(body.data)
      else failed++
      await pause(pauseAfter(performance.now() - start))
    }
    running = null
  }
  const isQueue = path === '/web/call-queue'
  const changed = (spread: number) => {
    if (isQueue) return
    wanted = true
    running ??= refresh(spread, (took) => Math.max(minPauseMs, spread, waitsPerRefresh * took))
  }
  const ringing = () => {
    if (!isQueue) return
    wanted = true
    running ??= refresh(0, () => shortestOfRinging)
  }
  const stream = await openStream(url, cookie, changed, ringing)
  return {
    figures: () => ({ requests, failed }),
    async close() {
      stream.destroy()
      closing.abort()
      await running
    },
  }
}
