import { useMe } from '../me.ts'
import { useHalfMinute } from '../ui/half-minute.ts'
import { callAgainTimes } from './call-again.ts'

/** The usual times to call again from now on. */
export function useCallAgainTimes() {
  useHalfMinute()
  return callAgainTimes(useMe().account)
}
