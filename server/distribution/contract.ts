import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../http/contract.ts'

const Values = (maxLength: number) => Type.Array(Line(maxLength), { maxItems: 200 })

const Conditions = {
  sources: Type.Optional(Values(200)),
  cities: Type.Optional(Values(200)),
  tags: Type.Optional(Values(100)),
  webhook_ids: Type.Optional(Type.Array(Uuid(), { maxItems: 200 })),
}

/** In their order, which decides between equal weights. */
const Turns = () =>
  Type.Array(Type.Object({ user_id: Uuid(), weight: Type.Integer({ minimum: 1, maximum: 999 }) }), {
    minItems: 1,
    maxItems: 200,
  })

/** Positions count from 1; without one the rule is the last. Conditions that are empty fit every lead. */
export const RuleToAdd = Type.Object({
  name: Name(),
  ...Conditions,
  people: Turns(),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999 })),
})

const RuleSettings = Type.Object({
  name: Type.Optional(Name()),
  ...Conditions,
  people: Type.Optional(Turns()),
})
export type RuleSettings = Static<typeof RuleSettings>

/** `was`: what the form showed of the fields it changes; refused where somebody else changed them since. */
export const RuleChange = Type.Object({ ...RuleSettings.properties, was: Type.Optional(RuleSettings) })

export const RulePosition = Type.Object({ position: Type.Integer({ minimum: 1, maximum: 999_999 }) })

const NamedPerson = Type.Object({ user_id: Uuid(), name: Type.String(), email: Type.String(), active: Type.Boolean() })
export type NamedPerson = Static<typeof NamedPerson>

export const Rule = Type.Object({
  id: Uuid(),
  position: Type.Integer(),
  name: Type.String(),
  sources: Type.Array(Type.String()),
  cities: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  webhook_ids: Type.Array(Uuid()),
  people: Type.Array(Type.Object({ ...NamedPerson.properties, weight: Type.Integer() })),
})
export type Rule = Static<typeof Rule>

export const LeadToPreview = Type.Object({
  source: Line(200, { minLength: 1 }),
  city: Type.Optional(Line(200)),
  tags: Type.Optional(Type.Array(Line(100), { maxItems: 50 })),
  webhook_id: Type.Optional(Uuid()),
})

/** `next` is whose turn it is just now; `because` says it in a sentence. */
export const Preview = Type.Object({
  rule: Nullable(Type.Object({ id: Uuid(), name: Type.String(), position: Type.Integer() })),
  next: Nullable(NamedPerson),
  because: Type.String(),
})
export type Preview = Static<typeof Preview>

export const Assignment = Type.Object({
  lead_id: Uuid(),
  lead_name: Type.String(),
  at: Instant(),
  rule_id: Uuid(),
  rule_name: Nullable(Type.String({ description: 'Null where the rule was removed.' })),
  /** Who has the lead now. */
  assigned_to: Nullable(Type.String()),
  summary: Type.String(),
})
