import { type Static, Type } from 'typebox'
import { Lines, Nullable, Uuid } from '../http/contract.ts'
import { AnsweredFields, leadFieldNames } from '../leads/contract.ts'

/** What an owner may map an incoming field to: a lead's field, a part of its name, or nothing. */
export const mappedFields = [...leadFieldNames, 'first_name', 'last_name', 'ignore'] as const
export type MappedField = (typeof mappedFields)[number]

export const MappedFieldSchema = () => Type.Enum([...mappedFields])

/** Set by hand: the value at `path` is `field`. */
export const MappingEntry = Type.Object({ path: Lines(2000), field: MappedFieldSchema() })
export type MappingEntry = Static<typeof MappingEntry>

/** The value that a payload has for a field, where it was found and why. */
export const FieldMatch = Type.Object({
  field: MappedFieldSchema(),
  path: Type.String(),
  value: Type.String(),
  reason: Type.String(),
  by: Type.Enum(['owner', 'recognised']),
})
export type FieldMatch = Static<typeof FieldMatch>

export const Warning = Type.Object({ field: Type.String(), message: Type.String() })
export type Warning = Static<typeof Warning>

/** A value of a payload: `segments` say where it stands in the tree, `path` is how a mapping names it. */
const Value = Type.Object({
  path: Type.String(),
  segments: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  value: Type.String(),
  /** What it is read as, by whom and why; null where nobody takes it. */
  field: Nullable(MappedFieldSchema()),
  by: Nullable(Type.Enum(['owner', 'recognised'])),
  reason: Nullable(Type.String()),
})

export const Reading = Type.Object({
  values: Type.Array(Value),
  picks: Type.Array(FieldMatch),
  warnings: Type.Array(Warning),
  /** As it would be made just now; null where the payload would be refused, and `error` says why. */
  lead: Nullable(AnsweredFields),
  /** Of the lead's fields those that the payload did not give. */
  from_defaults: Type.Array(Type.String()),
  /**
   * Of a request with several records, of which all else shows the first: how many there are (`more`: and others beyond
   * these), and what would become of the first hundred.
   */
  records: Nullable(
    Type.Object({
      total: Type.Integer(),
      more: Type.Boolean(),
      leads: Type.Integer(),
      /** Tests, and events without a person. */
      ignored: Type.Integer(),
      rejected: Type.Integer(),
    }),
  ),
  rule: Nullable(Type.Object({ id: Uuid(), name: Type.String() })),
  error: Nullable(Type.String()),
})
export type Reading = Static<typeof Reading>
