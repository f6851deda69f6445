import { usePageKeys } from './page-keys.ts'

/** `n` begins what this page adds. */
export const useNew = (begin: () => void) => usePageKeys([['n', begin]])
