import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../server/platform/http/contract.ts'

/** `off`: CONTINUOUS_BACKUP is not set. `waiting`: the first base backup is being made. */
const states = ['off', 'waiting', 'saved', 'failed'] as const
/** `waiting`: there was none yet. */
const drillStates = ['waiting', 'passed', 'failed'] as const

/** Whether each change is saved at another place, and whether it can be restored from there. Says nothing about other accounts. */
export const ContinuousBackup = Type.Object({
  state: Type.Enum([...states]),
  /** A restore is tried each night. */
  drill: Type.Object({
    state: Type.Enum([...drillStates]),
    at: Nullable(Instant()),
    /** The last change that was restored. */
    restored_to: Nullable(Instant()),
  }),
})
export type ContinuousBackup = Static<typeof ContinuousBackup>
