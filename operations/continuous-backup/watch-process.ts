import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Log } from './problems.ts'
import type { ContinuousProgress } from './run.ts'

export type ContinuousMessage = { progress: ContinuousProgress } | { level: 'info' | 'error'; message: string }

/** A process that ended is started again after so long. */
const restartAfter = 10_000
/** How long the last changes may take, when the service stops. */
const timeoutMs = 6000

/** Runs the process of the continuous backup, again if it ends. */
export function startContinuousBackup(program: URL, env: NodeJS.ProcessEnv) {
  const started = Date.now()
  let progress: ContinuousProgress = { waiting_since: started, base_at: null, drill: null }
  /** When the process was last heard. */
  let heard = started
  let log: Log = (_level, message) => console.error(message)
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let child = start()

  function start(): ChildProcess {
    // Its output is the log of the service.
    const forked = fork(program, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    forked.on('message', (message: ContinuousMessage) => {
      if ('level' in message) return log(message.level, message.message)
      progress = message.progress
      heard = Date.now()
    })
    forked.on('error', (error) => log('error', `The process of the continuous backup failed: ${error.message}`))
    // Also if it could not start, for example because the machine has too many processes.
    forked.on('close', (code, signal) => {
      if (isStopping) return
      log('error', `The process of the continuous backup ended (${signal ?? code}) and is started again.`)
      timer = setTimeout(() => {
        child = start()
      }, restartAfter)
    })
    return forked
  }

  return {
    /** Registers its metrics, and logs by the log of the service from now on. */
    observe(registry: Registry, toLog: Log) {
      log = toLog
      measureContinuousBackup(registry, () => ({ ...progress, heard }))
    },
    /** Waits until the last changes are saved. */
    async stop() {
      isStopping = true
      clearTimeout(timer)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await Promise.race([exit, sleep(timeoutMs, null, { ref: false })])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
    },
  }
}

interface Heard extends ContinuousProgress {
  /** When the process was last heard. */
  heard: number
}

export function measureContinuousBackup(registry: Registry, read: () => Heard): void {
  const gauge = (name: string, help: string, value: (heard: Heard) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value(read()))
      },
    })
  gauge(
    'lead_engine_continuous_backup_lag_seconds',
    'Age of the oldest change that is not saved',
    (heard) => lag(Date.now(), heard) / 1000,
  )
  gauge(
    'lead_engine_continuous_backup_last_base_seconds',
    'Time of the last base backup, in seconds since 1970',
    ({ base_at }) => (base_at ?? 0) / 1000,
  )
  gauge(
    'lead_engine_restore_drill_last_run_seconds',
    'Time of the last restore drill, in seconds since 1970',
    ({ drill }) => (drill?.at ?? 0) / 1000,
  )
  gauge('lead_engine_restore_drill_failed', 'Whether the last restore drill failed', ({ drill }) =>
    drill?.passed === false ? 1 : 0,
  )
}

/** In milliseconds. Of a process that is silent, nothing is known since it was heard. */
export function lag(now: number, { waiting_since, heard }: Pick<Heard, 'waiting_since' | 'heard'>): number {
  const isSilent = now - heard > 15_000
  const since = waiting_since ?? (isSilent ? heard : now)
  return Math.max(0, now - since)
}
