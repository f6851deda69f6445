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
import { tryLock } from './lock.ts'
import { openFile, type Place } from './place.ts'

const enough = 10 * 1024 * 1024

/** Opens the log for a server that starts. A large one becomes the previous log. */
export function openLog(place: Place): number {
  if (statSync(place.log).size > enough) renameSync(place.log, previous(place))
  return openFile(place, place.log)
}

/**
 * Empties a large log while the server runs, and keeps its end as the previous log. The server goes on writing at the start,
 * because it appends. What it writes in the moment between the two steps is lost.
 */
export function limitLog(place: Place, most = enough): void {
  const size = statSync(place.log, { throwIfNoEntry: false })?.size ?? 0
  if (size <= most) return
  // Not while another process starts the server, or does the same.
  const lock = tryLock(place.startLock, 'exclusive')
  if (!lock) return
  const log = openSync(place.log, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    keepEnd(place, log, most)
  } finally {
    // Also if the disk is full.
    ftruncateSync(log, 0)
    closeSync(log)
    lock.release()
  }
}

function keepEnd(place: Place, log: number, most: number): void {
  const end = Buffer.alloc(most)
  const length = readSync(log, end, 0, most, Math.max(0, fstatSync(log).size - most))
  rmSync(previous(place), { force: true })
  const copy = openFile(place, previous(place))
  try {
    writeSync(copy, end, 0, length)
  } finally {
    closeSync(copy)
  }
}

const previous = ({ log }: Place) => `${log}.1`
