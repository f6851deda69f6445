import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Sql } from '../../server/platform/database/sql.ts'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** The CPU time that processes have used in all, in microseconds. Processes that ended are left out. */
export function cpuTime(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + ofProcess(pid), 0)
}

function ofProcess(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    // The fields 14 and 15 of proc_pid_stat(5): user and system time.
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000_000
  } catch {
    return 0
  }
}

/** The same for processes with one thread, as those of PostgreSQL: counted in nanoseconds, and not in hundredths of a second. */
export function exactCpuTime(pids: number[]): number {
  const nanoseconds = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000
}

/** Resident memory in MB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** The processes of PostgreSQL that serve the connections of the service. */
export async function databaseProcesses(owner: Sql): Promise<number[]> {
  const rows = await owner<{ pid: number }[]>`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'lead-engine'`
  return rows.map(({ pid }) => pid)
}
