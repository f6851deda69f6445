import { type Static, Type } from 'typebox'
import { Instant, Line, Name, Nullable, Uuid } from '../../platform/http/contract.ts'

const Values = (maxLength: number) => Type.Array(Line(maxLength), { maxItems: 200 })

/** A question with answers of which the lead gave one. */
const AnswerCondition = () =>
  Type.Object({
    question: Line(500, { minLength: 1 }),
    answers: Type.Array(Line(500), { minItems: 1, maxItems: 200 }),
  })

const Conditions = {
  sources: Type.Optional(Values(200)),
  cities: Type.Optional(Values(200)),
  tags: Type.Optional(Values(100)),
  webhook_ids: Type.Optional(Type.Array(Uuid(), { maxItems: 200 })),
  products: Type.Optional(Values(200)),
  campaigns: Type.Optional(Values(200)),
  forms: Type.Optional(Values(200)),
  answers: Type.Optional(Type.Array(AnswerCondition(), { maxItems: 20 })),
}

/** Round robin starts with the first. */
const WeightedUsers = () =>
  Type.Array(Type.Object({ user_id: Uuid(), weight: Type.Integer({ minimum: 1, maximum: 999 }) }), {
    minItems: 1,
    maxItems: 200,
  })

/** Working minutes of the owner after which an untouched lead passes on to another user of the rule. Null: never. */
const PassOnAfter = () => Nullable(Type.Integer({ minimum: 1, maximum: 480 }))

/** Leads that a user gets by the rule on a day, IST. Null: no limit. */
const DailyLimit = () => Nullable(Type.Integer({ minimum: 1, maximum: 999 }))

/** How a rule chooses a user. `first_to_claim` offers the lead to all of them, and needs `pass_on_after`: an unclaimed lead passes on then. */
const Method = () => Type.Enum(['round_robin', 'first_to_claim'])

const NewRule = {
  name: Name(),
  ...Conditions,
  people: WeightedUsers(),
  method: Type.Optional(Method()),
  pass_on_after: Type.Optional(PassOnAfter()),
  paused: Type.Optional(Type.Boolean()),
  daily_limit: Type.Optional(DailyLimit()),
}

/** Positions count from 1; without one the rule becomes the last. Empty conditions match every lead. */
export const RuleToAdd = Type.Object({
  ...NewRule,
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999 })),
})

const RuleSettings = Type.Object({
  name: Type.Optional(Name()),
  ...Conditions,
  people: Type.Optional(WeightedUsers()),
  method: Type.Optional(Method()),
  pass_on_after: Type.Optional(PassOnAfter()),
  paused: Type.Optional(Type.Boolean()),
  daily_limit: Type.Optional(DailyLimit()),
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
  products: Type.Array(Type.String()),
  campaigns: Type.Array(Type.String()),
  forms: Type.Array(Type.String()),
  answers: Type.Array(Type.Object({ question: Type.String(), answers: Type.Array(Type.String()) })),
  people: Type.Array(Type.Object({ ...NamedUser.properties, weight: Type.Integer() })),
  method: Method(),
  pass_on_after: PassOnAfter(),
  /** It is skipped. */
  paused: Type.Boolean(),
  daily_limit: DailyLimit(),
})
export type Rule = Static<typeof Rule>

export const LeadToPreview = Type.Object({
  source: Line(200, { minLength: 1 }),
  city: Type.Optional(Line(200)),
  tags: Type.Optional(Type.Array(Line(100), { maxItems: 50 })),
  webhook_id: Type.Optional(Uuid()),
  product: Type.Optional(Line(200)),
  campaign: Type.Optional(Line(200)),
  form: Type.Optional(Line(200)),
  answers: Type.Optional(Type.Array(Type.Object({ question: Line(500), answer: Line(500) }), { maxItems: 20 })),
})

/** A question that the newest leads answered, with their answers, the most frequent first. */
export const KnownQuestion = Type.Object({ question: Type.String(), answers: Type.Array(Type.String()) })
export type KnownQuestion = Static<typeof KnownQuestion>

/** How many of the last leads a rule is tried with. */
export const maxReplayed = 200

/** A rule that is not saved yet. `id`: the rule that it changes; without one it is new, and the last. */
export const RuleToReplay = Type.Object({ id: Type.Optional(Uuid()), ...NewRule })

/** With the rules as they are, and with the rule that is not saved yet. */
const BeforeAndAfter = () => Type.Object({ before: Type.Integer(), after: Type.Integer() })

/** Who would have got the last leads. */
export const Replay = Type.Object({
  /** Leads to which rules apply. */
  leads: Type.Integer(),
  /** Others of the last leads: users entered or imported them with an owner. */
  not_affected: Type.Integer(),
  users: Type.Array(Type.Object({ ...NamedUser.properties, ...BeforeAndAfter().properties })),
  by: Type.Object({
    this_rule: BeforeAndAfter(),
    other_rules: BeforeAndAfter(),
    fallback_owner: BeforeAndAfter(),
    no_rule: BeforeAndAfter(),
  }),
  /** Leads that users may claim. */
  offered: BeforeAndAfter(),
  /** How many leads would go to another owner. */
  moved: Type.Integer(),
  /** The newest ten of them, with the names of their owners. Null: no rule assigns the lead. */
  examples: Type.Array(
    Type.Object({
      lead_id: Uuid(),
      name: Type.String(),
      at: Instant(),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
    }),
  ),
})
export type Replay = Static<typeof Replay>

/** `next` is the user who would get the lead now, `offered_to` who could claim it; `because` is the reason in a sentence. */
export const Preview = Type.Object({
  rule: Nullable(Type.Object({ id: Uuid(), name: Type.String(), position: Type.Integer() })),
  next: Nullable(NamedUser),
  offered_to: Type.Array(NamedUser),
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
