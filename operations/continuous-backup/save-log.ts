import { setTimeout as sleep } from 'node:timers/promises'
import { type History, putAndRead } from './history.ts'
import { pieceName } from './log-piece.ts'

/** How long the log waits for more, in milliseconds: what a lost disk costs, with the time to save it. */
const pause = 1000
const maxPieceBytes = 8 * 1024 * 1024
/** When more is not saved yet, PostgreSQL is asked to wait. */
const maxWaitingBytes = 2 * maxPieceBytes
/** How long PostgreSQL waits. Meanwhile it cannot end the session, and its checkpoints wait for that. */
const maxWaitMs = 10_000
/** Small pieces are joined at this number, or at this length of all. */
export const maxPieces = 256
const maxJoinedBytes = 16 * 1024 * 1024
/** Not worth joining. */
const fewPieces = 4

interface Settings {
  /** Where the first piece starts. */
  position: bigint
  /** What PostgreSQL sends before that, which is saved already. */
  known: Buffer
  signal: AbortSignal
  onSaved(position: bigint): void
  /** Null when it works again. */
  onProblem(error: Error | null): void
  pause(): void
  resume(): void
}

export interface LogSaver {
  /** Takes what PostgreSQL sent. */
  add(log: { position: bigint; bytes: Buffer }): void
  /** Since when something waits to be saved, in milliseconds since 1970; null if nothing does. */
  waitingSince(): number | null
  /** Waits until the log is saved up to a position, or for the signal. Returns whether it is saved. */
  until(position: bigint, signal: AbortSignal): Promise<boolean>
  /** Saves what waits, and then as it comes. Rejects if the history cannot go on. */
  run(): Promise<void>
  /** Rejects when PostgreSQL has waited too long: the session must end. */
  tooSlow: Promise<never>
}

/** Another database writes to the same history: a copy of the data folder, or one of the past. */
export class ForeignLog extends Error {}

/** Saves the log in pieces, about one a second while there are changes, and joins them later. */
export function saveLog(history: History, settings: Settings): LogSaver {
  const { signal, onSaved, onProblem } = settings
  let known = settings.known
  let received = settings.position - BigInt(known.length)
  let saved = settings.position
  let waiting: Buffer[] = []
  let size = 0
  let since: number | null = null
  let arrived = Promise.withResolvers<void>()
  let isPaused = false
  let timeout: NodeJS.Timeout | undefined
  let problem: Error | null = null
  const tooSlow = Promise.withResolvers<never>()
  tooSlow.promise.catch(() => {})
  let small: { position: bigint; bytes: Buffer }[] = []
  let joining = Promise.resolve()

  function take(): Buffer {
    const bytes = Buffer.concat(waiting)
    const piece = bytes.subarray(0, maxPieceBytes)
    const rest = bytes.subarray(piece.length)
    waiting = rest.length > 0 ? [rest] : []
    size = rest.length
    clearTimeout(timeout)
    if (isPaused) settings.resume()
    isPaused = false
    return piece
  }

  async function saveNext() {
    const taken = Date.now()
    const piece = take()
    const name = pieceName(saved)
    await persist(async () => {
      if (await history.putNew(name, piece)) return
      // An earlier attempt may have succeeded although its answer was lost.
      const there = await history.get(name)
      if (there?.equals(piece)) return
      throw new ForeignLog(`Another database writes to the same continuous backup (${history.id})`)
    })
    join({ position: saved, bytes: piece })
    saved += BigInt(piece.length)
    since = size > 0 ? taken : null
    onSaved(saved)
  }

  async function persist(attempt: () => Promise<void>) {
    for (let wait = 1000; ; wait = Math.min(2 * wait, 30_000)) {
      try {
        await attempt()
        problem = null
        return onProblem(null)
      } catch (error) {
        if (error instanceof ForeignLog || signal.aborted) throw error
        problem = error as Error
        onProblem(problem)
        await sleep(wait, null, { signal }).catch(() => {})
      }
    }
  }

  /** Beside the saving, under the name of the first piece. The others are left if that fails: readers skip them. */
  function join(piece: (typeof small)[number]) {
    small.push(piece)
    const length = small.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (small.length < maxPieces && length < maxJoinedBytes) return
    const [first, ...others] = small
    if (small.length > fewPieces) {
      const content = Buffer.concat(small.map(({ bytes }) => bytes))
      const saveJoined = () => putAndRead(history, pieceName(first!.position), content)
      // Twice: it replaces a piece that was good.
      joining = joining
        .then(() => saveJoined().catch(saveJoined))
        .then(() => history.remove(others.map(({ position }) => pieceName(position))))
        .catch(() => {})
    }
    small = []
  }

  return {
    add({ position, bytes }) {
      if (position !== received) throw new Error(`PostgreSQL sent its log from ${position} on instead of ${received}`)
      received += BigInt(bytes.length)
      const again = bytes.subarray(0, known.length)
      if (!again.equals(known.subarray(0, again.length))) throw new ForeignLog(`${history.id} goes on differently`)
      known = known.subarray(again.length)
      const more = bytes.subarray(again.length)
      if (more.length === 0) return
      // Copied: the driver uses the memory again.
      waiting.push(Buffer.from(more))
      size += more.length
      since ??= Date.now()
      arrived.resolve()
      if (size < maxWaitingBytes || isPaused) return
      isPaused = true
      settings.pause()
      timeout = setTimeout(() => {
        tooSlow.reject(problem ?? new Error('Changes are made faster than the continuous backup can be written'))
      }, maxWaitMs).unref()
    },
    waitingSince: () => since,
    tooSlow: tooSlow.promise,
    async until(position, timeoutSignal) {
      while (saved < position && !timeoutSignal.aborted) await sleep(50)
      return saved >= position
    },
    async run() {
      signal.addEventListener('abort', () => arrived.resolve())
      while (!signal.aborted || size > 0) {
        if (size === 0) {
          arrived = Promise.withResolvers()
          if (!signal.aborted) await arrived.promise
          continue
        }
        if (size < maxPieceBytes && !signal.aborted) await sleep(pause, null, { signal }).catch(() => {})
        await saveNext()
      }
      clearTimeout(timeout)
      await joining
    },
  }
}
