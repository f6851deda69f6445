import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type Places, serviceName } from './places.ts'

export interface User {
  uid: number
  gid: number
}

/** Returns the user of the service, or null if there is none. */
export function findServiceUser({ root, at }: Places): User | null {
  const [, , uid, gid] = (root === '/' ? ofThisMachine() : inFile(at('/etc/passwd')))?.split(':') ?? []
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) }
}

/** Asks the system whether the user of the service may do something with a file: `-r FILE`. Only the system knows all rules. */
export function serviceUserMay(places: Places, ...test: string[]): boolean {
  // With the further groups of that user, which only a running machine knows.
  const user = findServiceUser(places)
  const [program, args, options] =
    places.root === '/' && user ? ['runuser', ['-u', serviceName, '--', 'test', ...test], null] : ['test', test, user]
  try {
    execFileSync(program, args, { stdio: 'ignore', cwd: '/', ...options })
    return true
  } catch {
    return false
  }
}

function ofThisMachine(): string | null {
  try {
    return execFileSync('getent', ['passwd', serviceName], { encoding: 'utf8' })
  } catch {
    return null
  }
}

function inFile(file: string): string | null {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.find((line) => line.startsWith(`${serviceName}:`)) ?? null
}

export function addServiceUser({ root }: Places, home: string): void {
  const shell = ['--shell', '/usr/sbin/nologin']
  execFileSync('useradd', [...prefix(root), '--system', '--user-group', '--home-dir', home, ...shell, serviceName])
}

export function removeServiceUser({ root }: Places): void {
  execFileSync('userdel', [...prefix(root), serviceName])
}

const prefix = (root: string) => (root === '/' ? [] : ['--prefix', root])
