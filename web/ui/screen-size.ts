import { useMediaQuery } from '@mantine/hooks'

/** A phone: tables become rows of two lines, filters a sheet from below. The style sheets say 48em too. */
export const useNarrow = () =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false }) ?? false

/** Beside the places at the side there is no room for a row of filters. */
export const useTight = () =>
  useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false }) ?? false

/** Room for a list and, beside it, what is open of it. */
export const useWide = () => useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false }) ?? false
