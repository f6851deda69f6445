import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../http/contract.ts'

const Values = (maxLength: number) => Type.Array(Line(maxLength), { maxItems: 200 })

const Conditions = {
  sources: Type.Optional(Values(200)),
  cities: Type.Optional(Values(200)),
  tags: Type.Optional(Values(100)),
  webhook_ids: Type.Optional(Type.Array(Uuid(), { maxItems: 200 })),
}

/** Round robin starts with the first. */
const WeightedUsers = () =>
  Type.Array(Type.Object({ user_id: Uuid(), weight: Type.Integer({ minimum: 1, maximum: 999 }) }), {
    minItems: 1,
    maxItems: 200,
  })

/** Working minutes of the owner after which an untouched lead passes on to another user of the rule. Null: never. */
const PassOnAfter = () => Nullable(Type.Integer({ minimum: 1, maximum: 480 }))

/** Positions count from 1; without one the rule becomes the last. Empty conditions match every lead. */
export const RuleToAdd = Type.Object({
  name: Name(),
  ...Conditions,
  people: WeightedUsers(),
  pass_on_after: Type.Optional(PassOnAfter()),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999 })),
})

const RuleSettings = Type.Object({
  name: Type.Optional(Name()),
  ...Conditions,
  people: Type.Optional(WeightedUsers()),
  pass_on_after: Type.Optional(PassOnAfter()),
})
export type RuleSettings = Static<typeof RuleSettings>

/** `was`: the values that the form showed for the fields it changes. Answers 409 if somebody changed them since. */
export const RuleChange = Type.Object({ ...RuleSettings.properties, was: Type.Optional(RuleSettings) })

export const RulePosition = Type.Object({ position: Type.Integer({ minimum: 1, maximum: 999_999 }) })

const NamedUser = Type.Object({ user_id: Uuid(), name: Type.String(), email: Type.String(), active: Type.Boolean() })
export type NamedUser = Static<typeof NamedUser>

export const Rule = Type.Object({
  id: Uuid(),
  position: Type.Integer(),
  name: Type.String(),
  sources: Type.Array(Type.String()),
  cities: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  webhook_ids: Type.Array(Uuid()),
  people: Type.Array(Type.Object({ ...NamedUser.properties, weight: Type.Integer() })),
  pass_on_after: PassOnAfter(),
})
export type Rule = Static<typeof Rule>

export const LeadToPreview = Type.Object({
  source: Line(200, { minLength: 1 }),
  city: Type.Optional(Line(200)),
  tags: Type.Optional(Type.Array(Line(100), { maxItems: 50 })),
  webhook_id: Type.Optional(Uuid()),
})

/** `next` is the user who would get the lead now; `because` is the reason in a sentence. */
export const Preview = Type.Object({
  rule: Nullable(Type.Object({ id: Uuid(), name: Type.String(), position: Type.Integer() })),
  next: Nullable(NamedUser),
  because: Type.String(),
})
export type Preview = Static<typeof Preview>

export const Assignment = Type.Object({
  lead_id: Uuid(),
  lead_name: Type.String(),
  at: Instant(),
  rule_id: Uuid(),
  rule_name: Nullable(Type.String({ description: 'Null if the rule was removed.' })),
  /** The current owner of the lead. */
  assigned_to: Nullable(Type.String()),
  summary: Type.String(),
})
