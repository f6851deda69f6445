import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { startService } from '../service.ts'

const store = await testDatabase()
after(store.close)

const clients = 300

for (const workers of ['1', '2']) {
  test(`SIGTERM resets none of ${clients} connections with requests, with ${workers} workers`, async (t) => {
    const service = await startService({ DATABASE_URL: databaseUrl(store.connection), WORKERS: workers })
    t.after(() => service.end('SIGKILL'))
    const url = `${service.url}/api/v1/leads?limit=1`
    const failures: string[] = []
    let answers = 0
    let isStopping = false
    /** Sends one request after the other on one connection, with pauses, until the service has ended. */
    async function client(number: number) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        const request = get(url, { agent })
        try {
          const [answer] = (await once(request, 'response')) as [IncomingMessage]
          await once(answer.resume(), 'end')
          assert.equal(answer.statusCode, 401)
          answers++
        } catch (error) {
          const { code, message } = error as Error & { code?: string }
          // When the port is closed, the system also resets new connections that the service has not accepted.
          const isClosed = code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !request.reusedSocket && isStopping)
          if (!isClosed) failures.push(`${code}: ${message}`)
          return agent.destroy()
        }
        await sleep((number % 10) * 100)
      }
    }
    const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
    while (answers < clients * 3) await sleep(20)
    const exit = once(service.child, 'exit')
    const start = performance.now()
    isStopping = true
    service.child.kill('SIGTERM')
    const [code] = await exit
    const seconds = (performance.now() - start) / 1000
    await running
    assert.deepEqual(failures, [])
    assert.equal(code, 0, service.said().slice(-2000))
    assert.ok(seconds < 8, `it ended after ${seconds} s`)
    t.diagnostic(`ended after ${seconds.toFixed(1)} s; ${answers} answers`)
  })
}
