import { type ChildProcess, fork } from 'node:child_process'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../../server/platform/database/connect.ts'
import { repeat } from '../../server/platform/database/repeat.ts'
import { backupStatus, isDue } from './daily.ts'

const every = 60_000

/** What the backup process answers. */
export type BackupAnswer =
  | { file: string; bytes: number; drill_error: string | null }
  | { skipped: true }
  | { error: string }

interface Settings {
  metrics: Registry
  onDone(backup: { file: string; bytes: number }): void
  onError(error: unknown): void
}

/**
 * Starts the process that makes backups. It keeps the credentials of the database's owner, who alone can read all tables:
 * this process, which answers requests, must not have them.
 */
export function startBackupProcess(program: URL): ChildProcess {
  // Its output is the log of the service.
  return fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** Asks the backup process for a backup each night, and after a missed one as soon as possible. */
export function scheduleBackups(database: Database, backups: ChildProcess, { metrics, onDone, onError }: Settings) {
  const lastSuccess = new Gauge({
    name: 'lead_engine_backup_last_success_seconds',
    help: 'Time of the last daily backup, in seconds since 1970',
    registers: [metrics],
  })
  const failures = new Counter({
    name: 'lead_engine_backup_failures_total',
    help: 'Daily backups that failed in this process',
    registers: [metrics],
  })
  const failed = (error: unknown) => {
    failures.inc()
    onError(error)
  }
  let stopped = false
  let running = false

  async function check() {
    if (running || database.watch?.away) return
    const status = await backupStatus(database.directory)
    if (status.last_success) lastSuccess.set(status.last_success.started_at.getTime() / 1000)
    if (stopped || !isDue(new Date(), status)) return
    if (!backups.connected) throw new Error('The process that makes backups has ended: restart the service.')
    running = true
    backups.send('back up')
  }

  backups.on('message', (answer: BackupAnswer) => {
    running = false
    if ('error' in answer) failed(new Error(answer.error))
    if ('file' in answer) {
      const { file, bytes, drill_error } = answer
      onDone({ file, bytes })
      if (drill_error) failed(new Error(`${file}: ${drill_error}`))
    }
    void check().catch(failed)
  })
  const checking = repeat(check, { every, first: 0, onError: failed })
  return {
    stop: async () => {
      stopped = true
      await checking.stop()
      if (backups.exitCode !== null || backups.signalCode !== null) return
      const exit = new Promise((resolve) => backups.once('exit', resolve))
      backups.kill()
      await exit
    },
  }
}
