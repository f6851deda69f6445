import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from '#test/app.ts'
import { people, sessionCookie } from '#test/people.ts'
import { world } from '#test/records.ts'
import { speak } from '#test/wire.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela, zoya } = await people(app)
const [admin, agent, other] = await Promise.all([asha, bela, zoya].map((person) => sessionCookie(app, person)))
// The times that the service gives, shortened; whatever checks them runs every two seconds.
Object.assign(app.app.server, { headersTimeout: 600, requestTimeout: 700 })

/** Sends a request in pieces, until it is answered. Returns the answer, and how many pieces were sent before it. */
async function trickle(path: string, cookie: string, type: string, pieces: string[], pause: number, length?: number) {
  let sent = 0
  const size = length ?? Buffer.byteLength(pieces.join(''))
  const said = await speak(
    app.url,
    async (socket) => {
      const headers = [`Cookie: ${cookie}`, `Origin: ${app.url}`, `Content-Type: ${type}`, `Content-Length: ${size}`]
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n`)
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        sent++
        await sleep(pause)
      }
    },
    10_000,
  )
  return { ...said, sent }
}

const leadsOf = (accountId: string) => app.owner`select from leads where account_id = ${accountId}`

const notes = 'x'.repeat(18_000)
const rows = Array.from({ length: 25 }, (_, n) => `Lead ${n},98300000${String(n).padStart(2, '0')},${notes}\n`)
const file = ['Name,Phone,Notes\n', ...rows]

test('a slow upload is imported, as long as enough data keeps arriving', async () => {
  // It takes several times as long as a request may.
  const { text, closed } = await trickle('/web/leads/import', admin!, 'text/csv', file, 200)
  assert.ok(closed)
  assert.match(text, /^HTTP\/1\.1 200 /)
  assert.match(text, /"created":25/)
  assert.equal((await app.owner`select from leads`).length, 25)
})

test('an upload that stops is rejected, and nothing is imported', async () => {
  const before = await world(app.owner)
  const { answers, closed } = await trickle('/web/leads/import', admin!, 'text/csv', file.slice(0, 3), 10, 99_999)
  assert.ok(closed)
  assert.deepEqual([answers.length, answers[0]!.status, answers[0]!.body.error.code], [1, 408, 'INVALID_PARAM'])
  assert.deepEqual(await world(app.owner), before)
})

test('no other request gets more time: other paths, without a session, by an Agent', async () => {
  const before = await world(app.owner)
  const slow = Array.from({ length: 40 }, () => ' ')
  const [elsewhere, stranger, notAllowed] = await Promise.all([
    trickle('/web/leads', admin!, 'application/json', slow, 200),
    trickle('/web/leads/import', 'none=', 'text/csv', slow, 200),
    trickle('/web/leads/import', agent!, 'text/csv', slow, 200),
  ])
  for (const [{ closed, sent, answers }, status] of [
    [elsewhere, 408],
    [stranger, 401],
    [notAllowed, 403],
  ] as const) {
    assert.ok(closed && sent < slow.length, `${status} after ${sent} parts`)
    assert.equal(answers[0]!.status, status)
  }
  assert.deepEqual(await world(app.owner), before)
})

test('an upload that is too slow is rejected, and an account that sends slowly leaves places to others', async () => {
  const before = (await leadsOf(acme.account_id)).length
  const slow = Array.from({ length: 40 }, () => 'x')
  const trickles = Array.from({ length: 8 }, () => trickle('/web/leads/import', admin!, 'text/csv', slow, 50, 9999))
  const ofOther = await trickle('/web/leads/import', other!, 'text/csv', ['Name,Phone\n', 'Ravi,9830000099\n'], 10)
  assert.match(ofOther.text, /^HTTP\/1\.1 200 /)
  const statuses = (await Promise.all(trickles)).map(({ answers }) => answers[0]!.status)
  assert.deepEqual(statuses.sort(), [408, 408, 408, 503, 503, 503, 503, 503])
  assert.equal((await leadsOf(acme.account_id)).length, before)
})
