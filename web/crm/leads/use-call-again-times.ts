import { useMe } from '../../access/account/me.ts'
import { useHalfMinute } from '../../platform/ui/half-minute.ts'
import { callAgainTimes } from './call-again-days.ts'

/** The usual times to call again from now on. */
export function useCallAgainTimes() {
  useHalfMinute()
  return callAgainTimes(useMe().account)
}
