import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { type DataFolder, openFile } from './data-folder.ts'
import { tryLock } from './lock.ts'

const maxLogBytes = 10 * 1024 * 1024

/** Opens the log for a server that starts. A large one becomes the previous log. */
export function openLog(folder: DataFolder): number {
  if (statSync(folder.log).size > maxLogBytes) renameSync(folder.log, previous(folder))
  return openFile(folder, folder.log)
}

/**
 * Empties a large log while the server runs, and keeps its end as the previous log. The server goes on writing at the start,
 * because it appends. What it writes in the moment between the two steps is lost.
 */
export function limitLog(folder: DataFolder, maxBytes = maxLogBytes): void {
  const size = statSync(folder.log, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxBytes) return
  // Not while another process starts the server, or does the same.
  const lock = tryLock(folder.startLock, 'exclusive')
  if (!lock) return
  const log = openSync(folder.log, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    keepEnd(folder, log, maxBytes)
  } finally {
    // Also if the disk is full.
    ftruncateSync(log, 0)
    closeSync(log)
    lock.release()
  }
}

function keepEnd(folder: DataFolder, log: number, maxBytes: number): void {
  const end = Buffer.alloc(maxBytes)
  const length = readSync(log, end, 0, maxBytes, Math.max(0, fstatSync(log).size - maxBytes))
  rmSync(previous(folder), { force: true })
  const copy = openFile(folder, previous(folder))
  try {
    writeSync(copy, end, 0, length)
  } finally {
    closeSync(copy)
  }
}

const previous = ({ log }: DataFolder) => `${log}.1`
