import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { NoAnswer, openIpc } from './ipc.ts'

/** Two ends of a channel. What an end sends after `hold` arrives after `resume`. */
function channel() {
  const ends = [end(), end()] as const
  for (const [index, one] of ends.entries()) one.other = ends[1 - index]!
  return ends
}

function end() {
  const held: unknown[] = []
  let isHeld = false
  const self = Object.assign(new EventEmitter(), {
    connected: true,
    sent: 0,
    other: null as EventEmitter | null,
    send: (message: unknown) => {
      self.sent++
      if (isHeld) held.push(message)
      else setImmediate(() => self.other!.emit('message', structuredClone(message)))
      return true
    },
    hold: () => {
      isHeld = true
    },
    resume: () => {
      isHeld = false
      for (const message of held.splice(0)) self.send(message)
    },
  })
  return self
}

const long = 60_000

test('both ends ask and are answered, several requests at a time', async () => {
  const [here, there] = channel()
  const askThere = openIpc(here, (n: number) => n * 2)
  const askHere = openIpc(there, async (n: number) => n + 1)
  const answers = await Promise.all([askThere(1, long), askThere(2, long), askHere(3, long), askHere(4, long)])
  assert.deepEqual(answers, [2, 3, 6, 8])
})

test('an error of the other process is its message', async () => {
  const [here, there] = channel()
  const ask = openIpc(here, () => null)
  openIpc(there, () => {
    throw new Error('it is broken')
  })
  await assert.rejects(ask('anything', long), /^Error: it is broken$/)
})

test('while the other process hangs, one request waits and no other is sent, until it is heard again', async () => {
  const [here, there] = channel()
  const ask = openIpc(here, () => null)
  openIpc(there, (n: number) => n)
  there.hold()
  await assert.rejects(ask(1, 10), NoAnswer)
  const { sent } = here
  for (let n = 0; n < 100; n++) await assert.rejects(ask(2, long), NoAnswer)
  assert.equal(here.sent, sent)
  there.resume()
  await new Promise((resolve) => here.once('message', resolve))
  assert.equal(await ask(3, long), 3)
})

test('a process that has ended is not asked', async () => {
  const [here] = channel()
  const ask = openIpc(here, () => null)
  here.connected = false
  await assert.rejects(ask(1, long), NoAnswer)
  assert.equal(here.sent, 0)
})
