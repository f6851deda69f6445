import { existsSync, readFileSync } from 'node:fs'
import { quotedForShell } from './restore-advice.ts'

/** Returns what to do about a folder that is read-only for this process. `mounts` has the lines of /proc/self/mountinfo. */
export function fixReadOnly(folder: string, mounts = readMounts()): string {
  const found = mounts
    .split('\n')
    .map((line) => {
      const [ofMount = '', ofDisk = ''] = line.split(' - ')
      return {
        at: (ofMount.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, code) =>
          String.fromCharCode(Number.parseInt(code, 8)),
        ),
        isReadOnlyDisk: (ofDisk.split(' ')[2] ?? '').split(',').includes('ro'),
      }
    })
    .filter(({ at }) => at !== '' && `${folder}/`.startsWith(at.endsWith('/') ? at : `${at}/`))
    .sort((one, other) => one.at.length - other.at.length)
    .at(-1)
  return found?.isReadOnlyDisk
    ? `Mount its disk for writing, as root: mount -o remount,rw ${quotedForShell(found.at)}`
    : 'If a unit of systemd makes it read-only, run lead-engine install as root. In a container, mount the volume without :ro.'
}

/** Other systems than Linux have no such file. */
const readMounts = () => (existsSync('/proc/self/mountinfo') ? readFileSync('/proc/self/mountinfo', 'utf8') : '')
