import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stopAbandoned } from './embedded.ts'
import { tryLock } from './lock.ts'

/** Thrown while another process tries a restore in the same DATA_DIR. */
export class DrillRuns extends Error {
  constructor() {
    super('A restore is being tried already: wait until that has ended.')
  }
}

/** Runs `work` with an empty folder of its own in DATA_DIR, and removes that after it. The signal ends the database in it. */
export async function inDrillFolder<T>(
  dataDir: string,
  signal: AbortSignal,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  await mkdir(dataDir, { recursive: true })
  const lock = tryLock(join(dataDir, 'restore-drill.lock'), 'exclusive')
  if (!lock) throw new DrillRuns()
  const dir = join(dataDir, 'restore-drill')
  const clear = async () => {
    await stopAbandoned(dir)
    await rm(dir, { recursive: true, force: true })
  }
  const stop = () => void stopAbandoned(dir).catch(() => {})
  try {
    await clear()
    await mkdir(dir, { mode: 0o700 })
    signal.addEventListener('abort', stop)
    signal.throwIfAborted()
    return await work(dir)
  } finally {
    signal.removeEventListener('abort', stop)
    await clear()
    lock.release()
  }
}
