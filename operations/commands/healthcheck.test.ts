import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { freePort, testApp } from '#test/app.ts'
import { callCommand } from '#test/command-line.ts'

const app = await testApp()
after(app.close)

const check = (port: string | number, ...args: string[]) =>
  callCommand(['healthcheck', ...args], { PORT: String(port), HOST: '0.0.0.0' })

test('a service that is ready has the exit status 0', async () => {
  const { port } = new URL(app.url)
  assert.deepEqual(await check(port), { status: 0, out: `The service on port ${port} is ready.\n`, err: '' })
  assert.deepEqual((await check(port, '--json')).out, '{"status":"ready"}\n')
})

test('everything else has the exit status 1, and says why in one sentence', async (t) => {
  const free = await freePort()
  assert.deepEqual(await check(free), {
    status: 1,
    out: '',
    err: `Nothing answers at http://127.0.0.1:${free} (ECONNREFUSED).\n`,
  })

  let answer = '{"error": {"code": "UNAVAILABLE", "message": "The database is unavailable."}}'
  const port = await freePort()
  const other = createServer((_request, response) => response.writeHead(503).end(answer)).listen(port, '127.0.0.1')
  t.after(() => other.close())
  const { status, err } = await check(port)
  assert.deepEqual(
    [status, err],
    [1, `The service at http://127.0.0.1:${port} is not ready: The database is unavailable.\n`],
  )
  for (answer of ['<html>', 'null', '[]'])
    assert.match((await check(port)).err, /^Another program answers at \S+\. Set PORT to that of the service\.\n$/)
})
