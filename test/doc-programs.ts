import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Block, comparable } from './doc-blocks.ts'
import { plainEnv } from './service.ts'

/** A folder with the files of a page, where its programs run. */
export function programFolder(blocks: Block[], modules?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-docs-'))
  for (const { file, code } of blocks) if (file) writeFileSync(join(folder, file), code)
  if (modules) symlinkSync(modules, join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Program {
  command: string[]
  cwd: string
  env: Record<string, string>
}

/** Starts a program. `ended` resolves to its status, which is null if it was killed. */
export function running({ command: [name = '', ...args], cwd, env }: Program, onText = (_said: string) => {}) {
  // A group of its own: `go run` starts the program as another process, which must end with it.
  const child = spawn(name, args, { cwd, env: plainEnv(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let [said, errors] = ['', '']
  const ended = Promise.withResolvers<number | null>()
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
    onText(said)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  child.once('error', ended.reject).once('close', ended.resolve)
  return {
    said: () => said,
    errors: () => errors,
    ended: ended.promise,
    end: () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      return ended.promise
    },
  }
}

/** Runs a program to its end, or until it has printed a text. */
export async function printed(program: Program, until?: string): Promise<string> {
  const started = running(program, (said) => {
    if (until !== undefined && said.includes(until)) started.end()
  })
  const late = setTimeout(started.end, 60_000)
  const status = await started.ended
  clearTimeout(late)
  const said = started.said()
  if (until === undefined) assert.equal(status, 0, said + started.errors())
  else assert.ok(said.includes(until), said + started.errors())
  return said
}

/** Runs a block whose result the page shows. */
export async function printsAsShown(program: Program, { prints }: Block) {
  assert.equal(comparable(await printed(program)).trim(), comparable(prints ?? '').trim())
}

/** Checks that a program without its environment variables fails, and says which to set. */
export async function asksForVariables({ command: [name = '', ...args], cwd, env }: Program) {
  const { URL: _url, KEY: _key, ...others } = env
  const { status, stdout, stderr } = spawnSync(name, args, { cwd, env: plainEnv(others), encoding: 'utf8' })
  assert.notEqual(status, 0)
  assert.equal(stdout, '')
  assert.match(stderr, /Set the environment variables URL and KEY\./)
}

/** A proxy in front of the service, which answers every third request, from the first on, with 503. */
export async function flakyProxy(target: string) {
  let requests = 0
  const proxy = createServer((request, response) => {
    if (requests++ % 3 === 0) {
      request.resume()
      return response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' }).end('{"error": {}}')
    }
    const { method = 'GET', headers } = request
    const sent = forward(target + (request.url ?? ''), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    return request.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** Runs a program that repeats its work, and checks that it prints a lead that comes while it runs. */
export async function keepsInStep(program: Program, addLead: (name: string) => Promise<unknown>) {
  const name = `Late ${Math.random().toString(36).slice(2, 8)}`
  const output = printed({ ...program, env: { ...program.env, EVERY_SECONDS: '1' } }, name)
  await sleep(500)
  await addLead(name)
  const lines = (await output).split('\n').filter((line) => line.includes(name))
  assert.equal(lines.length, 1)
}
