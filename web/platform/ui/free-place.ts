interface Span {
  top: number
  bottom: number
}

const gap = 8

/** Returns the lowest top of a box of this height that covers none of the others. Without such a place, it leaves the first one free. */
export function freePlace(height: number, screen: Span, others: readonly Span[]): number {
  const lowest = screen.bottom - gap - height
  const places = [lowest, ...others.map(({ top }) => top - gap - height)]
    .filter((top) => top >= screen.top + gap && top <= lowest)
    .sort((one, other) => other - one)
  const free = places.find((top) => others.every((other) => top + height <= other.top || top >= other.bottom))
  return free ?? (others.length > 1 ? freePlace(height, screen, others.slice(0, 1)) : screen.top + gap)
}
