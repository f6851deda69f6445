import { existsSync, type StatsFs, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { quotedForShell } from './restore-advice.ts'

const gib = 1024 ** 3

export const diskSpace = ({ settings }: Installation): Check => ({
  name: 'disk_space',
  async run() {
    const { owner, given, dataDir } = settings.get()
    if (owner || given) return fine('The disk of your own PostgreSQL is not visible from here.', 'Watch it there.')
    const folder = existing(dataDir)
    return judgeSpace(folder, await statfs(folder))
  },
})

/** Returns the folder, or the nearest one above it that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

type Space = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail' | 'files' | 'ffree'>

/** PostgreSQL stops when its disk is full. A large disk may be fuller than a small one. */
export function judgeSpace(folder: string, { bsize, blocks, bavail, files, ffree }: Space): Finding {
  const total = bsize * blocks
  const free = bsize * bavail
  if (total === 0) return fine(`The file system of ${folder} does not say how much is free.`)
  const share = free / total
  const figures = `${amount(free)} of ${amount(total)} are free for ${folder}`
  if (free < gib || (share < 0.05 && free < 10 * gib)) {
    return problem(`${figures}.`, 'Free space or enlarge the disk now: PostgreSQL stops when it is full.')
  }
  if (files > 0 && ffree / files < 0.01) {
    return problem(
      `${figures}, but only ${ffree} files can be created.`,
      `Delete files that are not needed. This lists where most are: du --inodes -x ${quotedForShell(folder)} | sort -n | tail`,
    )
  }
  return fine(`${figures}.`)
}

export function amount(bytes: number): string {
  if (bytes >= gib) return `${(bytes / gib).toFixed(1)} GiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

export const areOnSameDisk = (one: string, other: string) => statSync(one).dev === statSync(other).dev
