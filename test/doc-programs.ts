import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

/** Node as readers have it: not the one that this project brings, and the oldest that the docs promise, where the machine has it. */
export const userNode =
  (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file) && isNew(file)) ?? process.execPath

function isNew(node: string): boolean {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20
}

const { PYTHON = 'python3', PHP = 'php', GO = 'go' } = process.env

/** How to run a program of a language, and what shows that the machine can. */
export const languages: Record<string, { run: string[]; check: string[]; needs: string }> = {
  js: { run: [userNode], check: [userNode, '--version'], needs: 'Node' },
  python: { run: [PYTHON], check: [PYTHON, '-c', 'import requests'], needs: 'Python with requests' },
  php: { run: PHP.split(' '), check: [...PHP.split(' '), '-r', 'curl_init();'], needs: 'PHP with curl' },
  go: { run: [GO, 'run'], check: [GO, 'version'], needs: 'Go' },
}

/** Whether a block is a program in these languages, and not a file that others import. */
export function isProgram({ language, file, code, prints }: Block): boolean {
  return language in languages && file !== null && (prints !== null || code.includes('EVERY_SECONDS'))
}

/** Why the machine cannot run programs of a language; false if it can. */
export function whyNot(language: string): string | false {
  const { check, needs } = languages[language]!
  const [name = '', ...args] = check
  return spawnSync(name, args).status === 0 ? false : `no ${needs}`
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
async function printed(program: Program, until?: string): Promise<string> {
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
  const proxy = await openProxy((request, response) => {
    if (requests++ % 3 !== 0) return pass(target, request, response)
    request.resume()
    response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' }).end('{"error": {}}')
  })
  return { ...proxy, requests: () => requests }
}

/** A proxy whose cursors begin the next reading only this long before the last one began, in milliseconds, and not five minutes. */
export function proxyWithOverlap(target: string, overlap: number) {
  return openProxy((request, response) => {
    delete request.headers['accept-encoding']
    pass(target, request, response, (body) =>
      body.replace(/"next_cursor":"([^"_]+)"/, (_, time) => {
        const later = new Date(Date.parse(time) + 5 * 60_000 - overlap)
        return `"next_cursor":"${later.toISOString().slice(0, 19)}Z"`
      }),
    )
  })
}

async function openProxy(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const proxy = createServer(handle)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** `change` keeps the length of a body, which is not compressed then. Without it, bodies pass as they are. */
function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  change?: (body: string) => string,
): void {
  const { method = 'GET', headers } = request
  const sent = forward(target + (request.url ?? ''), { method, headers }, async (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    if (change) response.end(change(await text(answer)))
    else answer.pipe(response)
  })
  // The program was killed.
  sent.once('error', () => response.destroy())
  request.pipe(sent)
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
