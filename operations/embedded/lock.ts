import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Lock {
  release(): void
}

/**
 * A lock between processes, in a file that stays empty. SQLite's file locks belong to the kernel and end with their
 * process, so no lock is ever stale.
 */
export function tryLock(file: string, mode: 'shared' | 'exclusive'): Lock | undefined {
  const database = openLock(file)
  try {
    // Without a journal file, which needs disk space.
    database.exec('PRAGMA journal_mode = MEMORY')
    if (mode === 'exclusive') database.exec('BEGIN EXCLUSIVE')
    else database.exec('BEGIN; SELECT 1 FROM sqlite_schema')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return { release: () => database.close() }
}

/** SQLite only says that it cannot open the file: the system says why. */
function openLock(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    try {
      closeSync(openSync(file, 'a'))
    } catch (reason) {
      const { code } = reason as { code?: string }
      throw code === 'EMFILE' || code === 'ENFILE' ? tooManyFiles(reason) : reason
    }
    throw error
  }
}

const tooManyFiles = (cause: unknown) =>
  new Error(
    'This process may not open more files: raise its limit to 16384, with ulimit -n 16384 or LimitNOFILE=16384 in its unit.',
    { cause },
  )

export async function whileLocked<T>(file: string, onLongWait: () => void, work: () => Promise<T>): Promise<T> {
  const lock = await lockOnceFree(file, onLongWait)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function lockOnceFree(file: string, onLongWait: () => void): Promise<Lock> {
  for (let waits = 0; ; waits++) {
    const lock = tryLock(file, 'exclusive')
    if (lock) return lock
    if (waits === 100) onLongWait()
    await sleep(20)
  }
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
