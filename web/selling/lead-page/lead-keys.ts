import { useRef } from 'react'
import { usePageKeys } from '../../platform/ui/page-keys.ts'

/** Handles keys on the page of a lead, unless they follow `g`, which navigates. */
export function useLeadKeys(keys: Record<string, () => void>) {
  const went = useRef(0)
  const go = () => {
    went.current = Date.now()
  }
  const unlessGoing = (act: () => void) => () => {
    if (Date.now() - went.current > 1000) act()
  }
  usePageKeys([
    ['g', go, { preventDefault: false }],
    ...Object.entries(keys).map(([key, act]): [string, () => void] => [key, unlessGoing(act)]),
  ])
}
