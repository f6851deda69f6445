import { type Static, Type } from 'typebox'

/** On each sample lead. Users may change it: what is removed does not depend on it. */
export const sampleTag = 'sample'

/** Sample leads that an Admin adds at once. */
export const samplesAtOnce = 40

export const Samples = Type.Object({
  /** Sample leads of the account that would be removed. */
  leads: Type.Integer(),
  /** Sample leads that have real data now, and stay. */
  kept: Type.Integer(),
})
export type Samples = Static<typeof Samples>
