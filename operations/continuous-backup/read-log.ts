import { Damage } from './encryption.ts'
import type { History } from './history.ts'
import { pieceName, pieces, positionOf } from './log-piece.ts'
import { maxPieces } from './save-log.ts'

/** Where the log of a history ends, and why it cannot be read further. */
export interface LogEnd {
  position: bigint
  /** Null if it is complete: there is no more. */
  problem: string | null
}

/** How much log follows a position, at least. */
export async function logLength(history: History, from: bigint): Promise<number> {
  const last = (await history.list(pieces)).at(-1)
  return last ? Math.max(0, Number(positionOf(last.name) - from)) : 0
}

/** Reads the log from a position on, in order. Ends at the first piece that is missing or damaged, and returns where. */
export async function* readLog(history: History, from: bigint): AsyncGenerator<Buffer, LogEnd> {
  const starts = (await history.list(pieces)).map(({ name }) => positionOf(name))
  let position = from
  for (;;) {
    const next = starts.findLastIndex((start) => start <= position)
    const { piece, problem } = await pieceAt(history, starts, next, position)
    if (!piece) {
      const isLast = next === starts.length - 1 && problem === null
      return {
        position,
        problem: isLast
          ? null
          : (problem ?? `${history.id}/${pieceName(position)} in the continuous backup is missing`),
      }
    }
    yield piece
    position += BigInt(piece.length)
  }
}

/**
 * Returns the log from `position` on: of the last piece that starts at or before it, else of an earlier one. Pieces that were joined into an
 * earlier one are removed after that, and some may be left.
 */
async function pieceAt(history: History, starts: bigint[], last: number, position: bigint) {
  let problem: string | null = null
  for (let at = last; at >= Math.max(0, last - maxPieces); at--) {
    const start = starts[at]!
    try {
      const piece = await history.get(pieceName(start))
      if (piece && start + BigInt(piece.length) > position)
        return { piece: piece.subarray(Number(position - start)), problem: null }
      if (piece && at === starts.length - 1) return { piece: null, problem: null }
    } catch (error) {
      if (!(error instanceof Damage)) throw error
      problem ??= error.message
    }
  }
  return { piece: null, problem }
}
