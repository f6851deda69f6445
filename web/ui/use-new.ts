import { useHotkeys } from '@mantine/hooks'
import { somethingAbove } from './above.ts'

/** `n` begins what this page adds. */
export const useNew = (begin: () => void) => useHotkeys([['n', () => !somethingAbove() && begin()]])
