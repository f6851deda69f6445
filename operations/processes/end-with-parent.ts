import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'

/**
 * Ends this process as SIGTERM does when the process that started it has ended, also by SIGKILL: the launcher, or the command of which this is
 * a step, which have a channel to it; or npm, which passes signals to its shell alone.
 */
export function endWithParent({ byNpm }: { byNpm: boolean }): void {
  const end = () => process.kill(process.pid, 'SIGTERM')
  // Undefined without a channel, and false if it ended while this program was loaded.
  if (process.connected === false) end()
  else if (process.connected) {
    process.once('disconnect', end)
    process.channel?.unref()
  } else if (byNpm) {
    const parent = process.ppid
    const npm = npmAbove(parent)
    const watching = setInterval(() => {
      if (process.ppid === parent && (npm === null || isRunning(npm))) return
      clearInterval(watching)
      end()
    }, 250).unref()
  }
}

/** Returns the npm that runs this process in a shell, which outlives it. Null if npm runs it directly, or if there is no `ps`. */
function npmAbove(parent: number): number | null {
  try {
    const said = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], { encoding: 'utf8' })
    const [, above, program = ''] = /(\d+)\s+(.*)/.exec(said) ?? []
    return basename(program.trim()) === 'sh' ? Number(above) : null
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
