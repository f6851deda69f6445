import { sharedState } from '../ui/shared-state.ts'

const ended = sharedState(false)

export const useSessionEnded = ended.use

export const setSessionEnded = ended.set
