import { useMediaQuery } from '@mantine/hooks'

/** A phone on its side. */
const low = '(max-height: 28em) and (max-width: 61.99em) and (pointer: coarse)'

/** A phone: tables become rows of two lines, filters a drawer. The style sheets use 48em, for what differs in width. */
export const useNarrow = () =>
  useMediaQuery(`(max-width: 47.99em), ${low}`, undefined, { getInitialValueInEffect: false }) ?? false

/** A phone on its side has little height. */
export const useLow = () => useMediaQuery(low, undefined, { getInitialValueInEffect: false }) ?? false

/** Too narrow for a row of filters beside the sidebar. */
export const useTight = () =>
  useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false }) ?? false

/** Wide enough for a list with a detail beside it. */
export const useWide = () => useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false }) ?? false
