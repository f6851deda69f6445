/** A piece of the log is `log/POSITION`, 16 hexadecimal digits, and holds the log from there on. Pieces follow one another. */
export const pieces = 'log/'

export const pieceName = (position: bigint) => `${pieces}${position.toString(16).padStart(16, '0')}`

export const positionOf = (name: string) => BigInt(`0x${name.slice(pieces.length)}`)

/** A file of the log, as PostgreSQL keeps it. */
export const segmentSize = 16n * 1024n * 1024n

export const segmentStart = (position: bigint) => position - (position % segmentSize)

/** The name of the file in pg_wal that holds a position. */
export function segmentFile(timeline: number, position: bigint): string {
  const perId = (1n << 32n) / segmentSize
  const segment = position / segmentSize
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0')
  return hex(BigInt(timeline)) + hex(segment / perId) + hex(segment % perId)
}
