/**
 * Returns the rows that a reader sees, in their places and as they are now, and how many others came. As many rows as came
 * were pushed off the end of the page: those stay. Others that are missing are gone, and rows that move up behind those that stay take
 * their places. `isShorter`: the whole list has fewer rows than before.
 */
export function heldRows<Row>(
  shown: Row[],
  now: Row[],
  keyOf: (row: Row) => string,
  isShorter = false,
): { rows: Row[]; added: number } {
  const current = new Map(now.map((row) => [keyOf(row), row]))
  const known = new Set(shown.map(keyOf))
  const last = now.findLastIndex((row) => known.has(keyOf(row)))
  // Nothing on the page stays: either as many came, or what was on it is gone.
  if (last === -1 && isShorter) return { rows: now, added: 0 }
  const movedUp = last === -1 ? [] : now.slice(last + 1)
  const added = now.filter((row) => !known.has(keyOf(row))).length - movedUp.length
  let pushedOff = movedUp.length > 0 ? 0 : added
  const rows = shown
    .toReversed()
    .flatMap((row) => {
      const found = current.get(keyOf(row))
      if (found) pushedOff = 0
      return found ? [found] : pushedOff-- > 0 ? [row] : []
    })
    .toReversed()
  return { rows: [...rows, ...movedUp], added }
}
