import { type Static, Type } from 'typebox'

/** Users come before leads, so that an import finds the owners that its file names. */
export const firstSteps = ['company', 'team', 'leads', 'source', 'rule', 'notifications'] as const
export type FirstStep = (typeof firstSteps)[number]

const StepState = () => Type.Enum(['done', 'skipped', 'open'])

/** The first steps of an account, and whether the data shows that they are done. */
export const FirstStart = Type.Object({
  /** `ended`: all steps are done or skipped, or an Admin dismissed them. */
  ended: Type.Boolean(),
  steps: Type.Object({
    company: StepState(),
    team: StepState(),
    leads: StepState(),
    source: StepState(),
    rule: StepState(),
    notifications: StepState(),
  }),
})
export type FirstStart = Static<typeof FirstStart>

export const FirstStartChange = Type.Object({
  /** The page was opened: it does not open by itself again. */
  opened: Type.Optional(Type.Literal(true)),
  ended: Type.Optional(Type.Literal(true)),
  /** All steps that are skipped. */
  skipped: Type.Optional(Type.Array(Type.Enum([...firstSteps]), { maxItems: firstSteps.length, uniqueItems: true })),
})
export type FirstStartChange = Static<typeof FirstStartChange>
