import { spawn } from 'node:child_process'
import { closeSync, fstatSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import { install } from './install.ts'
import { openLog } from './server-log.ts'
import { settings } from './settings.ts'
import { socketFile, socketFolder } from './socket.ts'
import { chooseUser, giveTo, type RunAs } from './user.ts'

/** A server that accepts connections. */
export interface Server {
  pid: number
  socketDir: string
  port: number
  /** If this process started it: lets it go on without this process, which it would otherwise end with. */
  detach?: () => Promise<void>
}

type Log = (message: string) => void

/** PostgreSQL does not work with the data folder. */
export class UnusableDatabase extends Error {}

export async function findServer(folder: DataFolder, log: Log): Promise<Server | undefined> {
  const file = readPidFile(folder)
  return file && (await isServer(file)) ? untilReady(folder, file.pid, log) : undefined
}

export async function startServer(folder: DataFolder, log: Log): Promise<Server> {
  const binaries = await findBinaries()
  const runAs = await chooseUser(folder, binaries)
  await install(folder, binaries, runAs, log)
  giveTo(runAs.owner, folder.data)
  const socketDir = await socketFolder(folder, runAs)
  // The data folder has a real lock. This file names a process that is gone, or another one by now.
  rmSync(join(socketDir, `${socketFile}.lock`), { force: true })
  // A power failure can leave it empty, which PostgreSQL rejects.
  if (readPidFile(folder)?.pid === 0) rmSync(pidFile(folder))
  const command = [binaries.postgres, '-D', folder.data, ...settings(socketDir, folder)]
  const deadline = performance.now() + 15_000
  for (;;) {
    const { pid, detach, failure } = launch(folder, runAs, command)
    const server = pid === undefined ? undefined : await untilReady(folder, pid, log)
    if (server) return { ...server, detach }
    await detach()
    const reason = await failure()
    // After a kill the sessions of the dead server continue until they notice, and a server that a killed service was
    // starting may appear.
    if (
      !/pre-existing shared memory block|lock file ".*" already exists/.test(reason) ||
      performance.now() > deadline
    ) {
      throw new UnusableDatabase(
        otherVersion(reason, folder) ??
          `PostgreSQL did not start: ${reason.replace(/\.$/, '')}. Run lead-engine doctor.`,
      )
    }
    await sleep(200)
    const other = await findServer(folder, log)
    if (other) return other
  }
}

/** PostgreSQL reads only data of its own major version, and leaves other data as it is. */
function otherVersion(reason: string, { data }: DataFolder): string | null {
  const [, theirs, ours] = /initialized by PostgreSQL version (\d+), .* this version (\d+)/.exec(reason) ?? []
  if (!theirs) return null
  return (
    `${data} is a database of PostgreSQL ${theirs}, and this version of Lead Engine has PostgreSQL ${ours}. Nothing was ` +
    'changed. With the earlier version of Lead Engine, run lead-engine backup FILE. Then move that folder away, and run ' +
    'lead-engine restore FILE with this version.'
  )
}

export async function stopServer(folder: DataFolder): Promise<void> {
  const file = readPidFile(folder)
  if (!file || !(await isServer(file))) return
  const { pid } = file
  const signal = (name: NodeJS.Signals) => isAlive(pid) && process.kill(pid, name)
  signal('SIGINT')
  const deadline = performance.now() + 60_000
  while (isAlive(pid)) {
    // Loses nothing: commits are in the write-ahead log, which the next start reads.
    if (performance.now() > deadline) signal('SIGQUIT')
    await sleep(10)
  }
}

/** Returns false for a zombie process, which in a container may stay forever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // No Linux, or a unit that hides processes outside of it.
    return true
  }
}

/**
 * Becomes the server, after it has started a process that ends the server when its input, a pipe from the process that starts the server, ends
 * without a line. It is not a child of the server, which would take its end for a crash. By then the server may not have its file, or
 * another one may.
 */
const endWithStarter = `
( { read -r line || for attempt in 1 2 3 4 5; do
  if read -r pid < "$0/postmaster.pid" && [ "$pid" = $$ ]; then kill -INT $$; break; fi
  sleep 1
done; } <&3 >/dev/null 2>&1 & )
exec "$@" 3<&-`

function launch(folder: DataFolder, runAs: RunAs, command: string[]) {
  const log = openLog(folder)
  const from = fstatSync(log).size
  const [program, ...args] = [...runAs.prefix, 'sh', '-c', endWithStarter, folder.data, ...command]
  // The process in the pid file is dead, and another program may have its number. PostgreSQL ignores the number given
  // here, but still checks whether the memory of that server is in use.
  const stale = readPidFile(folder)?.pid
  const env = stale ? { ...runAs.options.env, PG_GRANDPARENT_PID: String(stale) } : runAs.options.env
  // Detached: Ctrl-C in the terminal must not stop it before the service is done.
  const child = spawn(program!, args, { ...runAs.options, env, detached: true, stdio: ['ignore', log, log, 'pipe'] })
  // Missing if this process may not open more files.
  const pipe = child.stdio?.[3] as Socket | undefined
  // What reads it may have been killed.
  pipe?.on('error', () => {}).unref()
  const detach = async () => pipe && new Promise<void>((resolve) => pipe.end('go on\n', resolve))
  const spawnError = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
  closeSync(log)
  if (folder.isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
  const failure = async () => (child.pid === undefined ? spawnError : reasonIn(folder.log, from))
  return { pid: child.pid, detach, failure }
}

async function untilReady(folder: DataFolder, pid: number, log: Log): Promise<Server | undefined> {
  for (let waits = 1; isAlive(pid); waits++) {
    const file = readPidFile(folder)
    if (file?.pid === pid && file.status === 'ready') return { pid, socketDir: file.socketDir, port: file.port }
    if (waits % 500 === 0) log(`PostgreSQL is still ${file?.status ?? 'starting'}`)
    await sleep(10)
  }
  return undefined
}

function readPidFile(folder: DataFolder) {
  try {
    const lines = readFileSync(pidFile(folder), 'utf8').split('\n')
    const [pid, , , port, socketDir, , , status] = lines
    return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', status: status?.trim() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function pidFile({ data }: DataFolder): string {
  return join(data, 'postmaster.pid')
}

/**
 * The pid alone is no proof: another program may have it by now. The socket is one, also of a server in another user namespace, whose process
 * is hidden.
 */
async function isServer({ pid, socketDir }: { pid: number; socketDir: string }): Promise<boolean> {
  if (!isAlive(pid) || socketDir === '') return false
  const socket = connect(join(socketDir, socketFile))
  const answers = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    // A server whose queue of connections is full is one, too.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EAGAIN'))
  })
  return answers.finally(() => socket.destroy())
}

function reasonIn(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString().trim().split('\n')
  const reasons = lines.flatMap((line) => /(?:FATAL|PANIC|DETAIL|HINT): +(.*)/.exec(line)?.[1] ?? [])
  return (reasons.length > 0 ? reasons : lines).slice(-3).join(' ') || `see ${log}`
}
