import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { dataFolders, readUnit, serviceEnvironment } from './parts.ts'
import type { Places } from './places.ts'
import type { Release } from './releases.ts'
import { findServiceUser } from './service-user.ts'

/** Returns the environment in which a release runs as the service. In an image, its folders are there. */
export function environmentOfRelease(places: Places, { folder }: Release): Record<string, string> {
  const environment = serviceEnvironment(places, readUnit(folder))
  for (const [name, folder] of dataFolders(environment)) environment[name] = places.at(folder)
  return { ...environment, PATH: `${join(folder, 'node_modules/.bin')}:/usr/local/bin:/usr/bin:/bin` }
}

/** Runs a command of a release as the service, and returns its JSON, also if its exit status says that something is wrong. */
export async function askRelease<T>(
  places: Places,
  release: Release,
  args: string[],
  signal?: AbortSignal,
): Promise<T> {
  const isRoot = process.getuid?.() === 0
  return run(release, [...args, '--json'], {
    env: environmentOfRelease(places, release),
    ...(isRoot ? findServiceUser(places) : {}),
    ...(signal ? { signal } : {}),
  })
}

/** Lets a release write its unit and its command, as root. */
export async function installFilesOf(places: Places, release: Release): Promise<void> {
  await run(release, ['install', '--root', places.root, '--json'], {})
}

interface RunOptions {
  /** That of this process unless set. */
  env?: Record<string, string>
  uid?: number
  gid?: number
  signal?: AbortSignal
}

/**
 * In a process group of its own: Ctrl-C ends the step that runs, but not the steps that go back. With a channel: a step ends when the upgrade
 * is killed.
 */
async function run<T>({ folder, name }: Release, args: string[], options: RunOptions): Promise<T> {
  const child = spawn(join(folder, 'bin/lead-engine.js'), args, {
    ...options,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [out, err, status] = await Promise.all([text(child.stdout!), text(child.stderr!), ended])
  const answer = status === null ? null : jsonIn(out)
  if (answer) return answer as T
  const reason = err.trim().split('\n').at(-1) || `it ended with status ${status}`
  throw new Error(`lead-engine ${args[0]} of version ${name}: ${reason}`)
}

function jsonIn(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}
