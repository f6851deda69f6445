/** `npm run test:thorough` sets it: properties try more, and pages are looked at in all themes and widths. */
export const isThorough = process.env.THOROUGH === '1'

/** `npm test -- --slow` sets it: the browsers of the journeys are slow. */
export const isSlow = process.env.SLOW === '1'

/** Returns every item, or every third from a different one on for each `turn`, so that all are tried over the turns. */
export const someOf = <Item>(items: readonly Item[], turn: number): readonly Item[] =>
  isThorough ? items : items.filter((_, at) => at % 3 === turn % 3)
