import { type Static, Type } from 'typebox'
import { maxTagLength, maxTagsAtOnce, type NewLead } from '../../crm/leads/contract.ts'
import { Line } from '../../platform/http/contract.ts'
import { type EnquiryPart, enquiryParts, leadTargets } from '../payload/contract.ts'

/** What a column can be, beside the fields of a lead: its times in the system that it comes from, and a call per row. */
export const migratedFields = [
  'created_at',
  'updated_at',
  'called_at',
  'call_type',
  'call_duration',
  'call_outcome',
  'call_notes',
  // The numbers of a call, of which the direction or the account's own lines say whose they are.
  'call_from',
  'call_to',
] as const
export type MigratedField = (typeof migratedFields)[number]

/** What a user planned or noted of a lead, beside its fields. */
export const followUpFields = ['call_again_at', 'lost_reason'] as const
type FollowUpField = (typeof followUpFields)[number]

/** What a column that is no field can be for the enquiry of the row. `answers` and `origin` are columns of our own exports. */
const enquiryFields = [...enquiryParts.filter((part) => part !== 'left_out'), 'answers', 'origin'] as const
export type EnquiryField = Exclude<EnquiryPart, 'left_out'> | 'answers' | 'origin'

export type ImportField = (typeof leadTargets)[number] | FollowUpField | EnquiryField | MigratedField
export const importFields: readonly ImportField[] = [
  ...leadTargets,
  ...followUpFields,
  ...enquiryFields,
  ...migratedFields,
]

const setOfEnquiry: ReadonlySet<string> = new Set(enquiryFields)
export const isOfEnquiry = (field: ImportField): field is EnquiryField => setOfEnquiry.has(field)

const setOfMigrated: ReadonlySet<string> = new Set(migratedFields)
export const isMigrated = (field: ImportField): field is MigratedField => setOfMigrated.has(field)

/** What a warning is about. Warnings of one kind are shown together. */
export const warningKinds = [
  'owner',
  'status',
  'priority',
  'lost_reason',
  'deal_value',
  'contact',
  'name',
  'date',
  'call',
  'cut',
  'joined',
] as const
export type WarningKind = (typeof warningKinds)[number]

/** The warnings of one kind, with the first rows that have them. */
export interface WarningGroup {
  kind: WarningKind
  rows: number
  examples: { line: number; text: string }[]
}

/** Rows that can be downloaded. */
export type RowKind = WarningKind | 'rejected'

/** Fields whose values must be known, or may be mistyped. */
export type ValueField = 'assigned_to' | 'status' | 'priority' | 'source'

/** A value of one of these fields that the account does not have. */
export interface UnknownValue {
  id: string
  field: ValueField
  value: string
  rows: number
}

export interface RowWarning {
  kind: WarningKind
  text: string
}

/** What the warnings of a row say of one kind. */
export const textOfKind = (warnings: readonly RowWarning[], kind: WarningKind) =>
  warnings
    .filter((warning) => warning.kind === kind)
    .map(({ text }) => text)
    .join('; ')

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Enum(['true', 'false'])),
  columns: Type.Optional(Type.String({ maxLength: 10_000, description: 'JSON: for each column by name what it is.' })),
  others: Type.Optional(
    Type.Enum(['answer', 'ignore'], {
      description: 'What the columns are that `columns` does not name. Default: ignore.',
    }),
  ),
  sheet: Type.Optional(
    Type.String({ maxLength: 200, description: 'Of a workbook. Default: the first visible sheet with leads.' }),
  ),
  header: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_048_576,
      description: 'The row with the column names, one of the first 20; 0 if there is none. Default: it is found.',
    }),
  ),
  values: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'JSON: for each unknown value by its id what it is. An empty text keeps it as an answer.',
    }),
  ),
  rows_of: Type.Optional(
    Type.Enum(['rejected', ...warningKinds], {
      description: 'With dry_run: answers the rejected rows, or those with a kind of warning, as CSV.',
    }),
  ),
  source: Type.Optional(Line(200, { description: 'For new leads without one. Default: CSV import, or Excel import.' })),
  owner: Type.Optional(
    Line(254, { description: 'Email of the owner of leads whose row names none. Default: by the distribution rules.' }),
  ),
  tags: Type.Optional(Type.Array(Line(maxTagLength), { maxItems: maxTagsAtOnce, description: 'For every lead.' })),
  file: Type.Optional(Line(255, { description: 'The name of the file, for the list of imports.' })),
})
export type ImportQuery = Static<typeof ImportQuery>

/** How many of `total` leads an undo has deleted or restored, and how many stay for which reason. */
export interface UndoCounts {
  total: number
  deleted: number
  restored: number
  called: number
  merged: number
  changed: number
  /** Deleted or merged into another lead before, or not visible to the user. */
  gone: number
}

export interface ImportUndo extends UndoCounts {
  /** `stopped`: because of `error`. It can be undone again for the rest. */
  state: 'undoing' | 'undone' | 'stopped'
  user: string | null
  at: string
  error: string | null
}

/** An import in the list of imports. */
export interface LeadImport {
  id: string
  /** The name of the user. Null: the command line. */
  user: string | null
  file: string
  /** `interrupted`: importing the same file again continues it. */
  state: 'running' | 'interrupted' | 'done'
  rows: number
  created: number
  merged: number
  rejected: number
  /** How many of the rejected rows can be downloaded. */
  rejected_kept: number
  calls: number
  started_at: string
  undo: ImportUndo | null
  can_undo: boolean
}

export interface ImportColumn {
  name: string
  field: ImportField
  /** The reason for the mapping, and how its dates are read. */
  reason: string
}

/** The result of a dry run, with the first 200 rejected rows. */
export interface ImportPreview {
  rows: number
  /** Rows that an interrupted import of the file has saved. The other counts leave them out. */
  imported: number
  /** Estimated: other leads may be created or deleted before the import. */
  created: number
  merged: number
  rejected: number
  /** Calls that are not yet in the account. */
  calls: number
  warned: number
  columns: ImportColumn[]
  /** The visible sheets of a workbook, and the one that is read. */
  sheets: string[]
  sheet: string | null
  /** The row with the column names, 0 if there is none; and why, if it is not the first row. */
  header: number
  header_reason: string | null
  /** The rows that may be the header. Long cells are cut. */
  top_rows: { line: number; cells: string[] }[]
  first_rows: { line: number; cells: string[]; lead: Partial<NewLead> | null }[]
  rejected_rows: { line: number; reason: string; cells: string[] }[]
  /** Those of the most rows first, at most 50. */
  shared_contacts: SharedContact[]
  warnings: WarningGroup[]
  /** The most frequent first, and how often there are further ones. */
  unknown_values: UnknownValue[]
  other_unknown_values: number
}

/** A phone or an email of rows with different names, all of which become one lead. `lines`: the first ones. */
export interface SharedContact {
  contact: string
  rows: number
  lines: number[]
}

export interface ImportCounts {
  read: number
  created: number
  merged: number
  rejected: number
  calls: number
}

/** Sent during an import, each as a line of JSON, `shared` at its end. `skipped` rows were imported before it was ended. */
export type ImportEvent =
  | { type: 'started'; id: string; rows: number; columns: ImportColumn[]; skipped: number }
  | { type: 'rejected'; line: number; reason: string; cells: string[] }
  | ({ type: 'shared' } & SharedContact)
  | { type: 'warned'; line: number; lead_id: string; warnings: RowWarning[]; cells: string[] }
  | ({ type: 'progress' | 'done' } & ImportCounts)
  | ({ type: 'stopped'; message: string } & ImportCounts)
