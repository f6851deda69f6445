/** Returns a function that says what this share of the figures is at most: `at(0.95)`. NaN if there are none. */
export function quantilesOf(figures: readonly number[]): (share: number) => number {
  const sorted = figures.toSorted((one, other) => one - other)
  return (share) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
