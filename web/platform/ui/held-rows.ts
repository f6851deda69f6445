/**
 * Returns the rows that a reader sees, in their places and as they are now, and how many others came. As many rows as came
 * were pushed off the end of the page: those stay. Others that are missing are gone.
 */
export function heldRows<Row>(shown: Row[], now: Row[], keyOf: (row: Row) => string): { rows: Row[]; added: number } {
  const current = new Map(now.map((row) => [keyOf(row), row]))
  const known = new Set(shown.map(keyOf))
  const added = now.filter((row) => !known.has(keyOf(row))).length
  let pushedOff = added
  const rows = shown
    .toReversed()
    .flatMap((row) => {
      const found = current.get(keyOf(row))
      if (found) pushedOff = 0
      return found ? [found] : pushedOff-- > 0 ? [row] : []
    })
    .toReversed()
  return { rows, added }
}
