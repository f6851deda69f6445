import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Answer, ask } from './people.ts'

interface Call {
  /** The customer's number. */
  phone: string
  /** The email of the user who is rung. */
  agent: string
  /** When it rings; now, if not given. */
  at?: Date
}

/** Returns the documented events of a missed call (it rings, it ends) of another customer, as functions that send them as Exotel does. */
export function missedCall(webhook: { url: string; path: string }, { phone, agent, at = new Date() }: Call) {
  const { events } = JSON.parse(readFileSync(sequence, 'utf8')) as { events: Record<string, string>[] }
  const CallSid = randomUUID().replaceAll('-', '')
  const inIndia = new Date(at.getTime() + 19_800_000)
  const time = inIndia.toISOString().slice(0, 19).replace('T', ' ')
  const times = { Created: inIndia.toUTCString().replace(' GMT', ''), StartTime: time, CurrentTime: time }
  const [ring, end] = events.map((event) => async (): Promise<Answer> => {
    const changes = { ...times, CallSid, CallFrom: phone, From: phone, AgentEmail: agent }
    const fields = Object.entries(event).map(([name, value]) => [name, changes[name as keyof typeof changes] ?? value])
    const answer = await ask(webhook.url, null, 'GET', `${webhook.path}?${new URLSearchParams(fields)}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  })
  return { ring: ring!, end: end! }
}

const sequence = new URL('../server/intake/payload/senders/exotel/sequence-missed.json', import.meta.url)
