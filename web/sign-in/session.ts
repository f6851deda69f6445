import { sharedState } from '../ui/shared-state.ts'

const ended = sharedState(false)

export const useSessionEnded = ended.use

/** Told when the session ended elsewhere or by time, and when there is one again. */
export const noteSession = (has: 'ended' | 'begun') => ended.set(has === 'ended')
