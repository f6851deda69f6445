import { sharedState } from '../api/shared-state.ts'

const halfMinute = sharedState(0)
setInterval(() => halfMinute.set(halfMinute.get() + 1), 30_000)

/** Renders the component again every 30 s. */
export const useHalfMinute = halfMinute.use
