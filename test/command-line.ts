import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { mock } from 'node:test'
import { runProgram } from '../operations/commands/program.ts'
import type { Connection } from '../server/platform/database/connect.ts'
import { plainEnv, root } from './service.ts'

export interface Ended {
  status: number | null
  out: string
  err: string
}

/** `npx lead-engine …` as a user runs it, in an environment with nothing else; `program` is the folder of another version. */
export const runCommand = (args: string[], env: Record<string, string>, program = root) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [join(program, 'bin/lead-engine.js'), ...args], { env: plainEnv(env) })
    const ended: Ended = { status: null, out: '', err: '' }
    child.stdout.on('data', (text) => {
      ended.out += text
    })
    child.stderr.on('data', (text) => {
      ended.err += text
    })
    child.on('close', (status) => resolve({ ...ended, status }))
  })

const signals = ['SIGINT', 'SIGTERM'] as const

/** The same without a process, for tests of what a command does: starting one takes longer than most commands. One at a time. */
export async function callCommand(args: string[], env: Record<string, string>): Promise<Ended> {
  const ended: Ended = { status: null, out: '', err: '' }
  const written = [
    mock.method(console, 'log', (text: string) => {
      ended.out += `${text}\n`
    }),
    mock.method(process.stderr, 'write', (text: string) => {
      ended.err += text
      return true
    }),
  ]
  const { env: own, exitCode } = process
  const before = signals.map((signal) => process.listeners(signal))
  process.env = plainEnv(env)
  process.exitCode = undefined
  try {
    ended.status = (await runProgram(args)) || Number(process.exitCode ?? 0)
  } finally {
    process.env = own
    process.exitCode = exitCode
    for (const { mock } of written) mock.restore()
    // A command that fails leaves them to the end of its process.
    for (const [at, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!before[at]!.includes(listener)) process.off(signal, listener)
  }
  return ended
}

/** The DATABASE_URL of a connection. */
export function databaseUrl({ host, port, username, password, database }: Connection): string {
  const [name, secret, at] = [username, password, host].map(encodeURIComponent)
  return `postgres://${name}:${secret}@localhost/${database}?host=${at}&port=${port}`
}
