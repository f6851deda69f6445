import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './app.ts'

export const root = join(import.meta.dirname, '..')

/** The environment of a user's shell. Of this test run's own it has only the compiled modules. */
export function plainEnv(given: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...given }
}

/** Arguments of a Node that is too old for the service: the command starts the Node of the project. */
export const onOlderNode = [
  '--import',
  'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.0.0"})',
]

/** As in `npm start` and the files of deploy/. */
const memory = { MALLOC_ARENA_MAX: '1', NODE_OPTIONS: '--max-semi-space-size=8' }

/** The real service in a process of its own; `program` is the folder of another version of it. */
export async function startService(env: Record<string, string>, program = root) {
  const port = env.PORT ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = spawn(process.execPath, ['operations/main.ts', 'serve'], {
    cwd: program,
    env: plainEnv({ ...memory, RATE_LIMIT_PER_MINUTE: '1000000', ...env, PORT: port }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => said.push(text))
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() - start > 60_000) {
      child.kill('SIGKILL')
      throw new Error(`the service did not start: ${said.join('')}`)
    }
    await sleep(25)
  }
  return {
    url,
    port,
    child,
    ms: Math.round(performance.now() - start),
    said: () => said.join(''),
    end: (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal),
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return child.exitCode
}
