import { type Static, Type } from 'typebox'
import { Instant, Line, Nullable, Uuid } from '../../platform/http/contract.ts'
import { ChosenLeads, LeadChange, LeadSearch, leadPriorities, leadStatuses } from '../leads/contract.ts'

/** Leads of one bulk change. */
export const maxLeads = 100_000
export const maxAssignees = 50

/** The leads: those with these ids, or all that match these filters now. */
export const LeadSelection = Type.Object({
  ids: Type.Optional(ChosenLeads.properties.ids),
  matching: Type.Optional(Type.Omit(LeadSearch, ['limit', 'offset', 'sort', 'reverse'])),
})
export type LeadSelection = Static<typeof LeadSelection>

const Assignee = Type.Object({
  email: Line(254),
  /** How many leads they get, compared with the others. */
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
})

const { status, lost_reason, priority, add_tags, call_again_at } = LeadChange.properties

/** What is changed of each lead. `delete` is alone, and is the number of leads as the user typed it. */
export const NewBulkChange = Type.Object({
  ...LeadSelection.properties,
  change: Type.Object({
    /** Null: unassigned. */
    assign_to: Type.Optional(Nullable(Type.Array(Assignee, { minItems: 1, maxItems: maxAssignees }))),
    status,
    /** With `status: Lost`. */
    lost_reason,
    priority,
    call_again_at,
    add_tags,
    remove_tags: add_tags,
    delete: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLeads })),
  }),
})
export type NewBulkChange = Static<typeof NewBulkChange>

const bulkChangeStates = ['running', 'done', 'cancelled', 'stopped', 'undoing', 'undone'] as const

export const BulkChange = Type.Object({
  id: Uuid(),
  user: Type.Object({ id: Uuid(), name: Type.String() }),
  /** With the names of the assignees; the number of a deletion is left out. */
  change: Type.Object({
    assign_to: Type.Optional(Nullable(Type.Array(Type.Object({ name: Type.String(), weight: Type.Integer() })))),
    status: Type.Optional(Type.Enum([...leadStatuses])),
    lost_reason: Type.Optional(Nullable(Type.String())),
    priority: Type.Optional(Type.Enum([...leadPriorities])),
    call_again_at: Type.Optional(Nullable(Instant())),
    add_tags: Type.Optional(Type.Array(Type.String())),
    remove_tags: Type.Optional(Type.Array(Type.String())),
    delete: Type.Optional(Type.Literal(true)),
  }),
  state: Type.Enum([...bulkChangeStates]),
  total: Type.Integer(),
  /** Processed leads, of the change or of its undo. */
  position: Type.Integer(),
  changed: Type.Integer(),
  /** They had the values already. */
  unchanged: Type.Integer(),
  /** Deleted, not visible any more, or the lead does not accept the change. */
  skipped: Type.Integer(),
  restored: Type.Integer(),
  /** Not restored, because they were changed since. */
  kept: Type.Integer(),
  /** Says why it stopped. */
  error: Nullable(Type.String()),
  started_at: Instant(),
  finished_at: Nullable(Instant()),
  can_undo: Type.Boolean(),
})
export type BulkChange = Static<typeof BulkChange>
