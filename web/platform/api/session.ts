import { sharedState } from './shared-state.ts'

const ended = sharedState(false)

export const useSessionEnded = ended.use

export const setSessionEnded = ended.set

const started = sharedState(0)

export const onNewSession = started.listen

/** Notifies listeners that the user has signed in, or that the server has renewed the session. */
export const noteNewSession = () => started.set(started.get() + 1)
