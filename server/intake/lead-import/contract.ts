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
] as const
export type MigratedField = (typeof migratedFields)[number]

/** What a column that is no field can be for the enquiry of the row. `answers` and `origin` are columns of our own exports. */
const enquiryFields = [...enquiryParts.filter((part) => part !== 'left_out'), 'answers', 'origin'] as const
export type EnquiryField = Exclude<EnquiryPart, 'left_out'> | 'answers' | 'origin'

export type ImportField = (typeof leadTargets)[number] | EnquiryField | MigratedField
export const importFields: readonly ImportField[] = [...leadTargets, ...enquiryFields, ...migratedFields]

export const isOfEnquiry = (field: ImportField): field is EnquiryField => enquiryFields.includes(field as EnquiryField)

export const isMigrated = (field: ImportField): field is MigratedField =>
  migratedFields.includes(field as MigratedField)

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
  source: Type.Optional(Line(200, { description: 'For new leads without one. Default: CSV import, or Excel import.' })),
  owner: Type.Optional(
    Line(254, { description: 'Email of the owner of leads whose row names none. Default: by the distribution rules.' }),
  ),
  tags: Type.Optional(Type.Array(Line(maxTagLength), { maxItems: maxTagsAtOnce, description: 'For every lead.' })),
  file: Type.Optional(Line(255, { description: 'The name of the file, for the list of imports.' })),
})
export type ImportQuery = Static<typeof ImportQuery>

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
  /** How many of `total` leads were deleted or restored, and how many stay for which reason. */
  undo: {
    /** `stopped`: because of `error`. It can be undone again for the rest. */
    state: 'undoing' | 'undone' | 'stopped'
    user: string | null
    at: string
    total: number
    deleted: number
    restored: number
    called: number
    merged: number
    changed: number
    /** Deleted or merged into another lead before, or not visible to the user. */
    gone: number
    error: string | null
  } | null
  can_undo: boolean
}

export interface ImportColumn {
  name: string
  field: ImportField
  /** The reason for the mapping, and how its dates are read. */
  reason: string
}

/** The result of a dry run, with the first 200 rejected rows and rows with warnings. */
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
  warned_rows: { line: number; warnings: string[] }[]
}

export interface ImportCounts {
  read: number
  created: number
  merged: number
  rejected: number
  calls: number
}

/** Sent during an import, each as a line of JSON. `skipped` rows were imported before it was ended. */
export type ImportEvent =
  | { type: 'started'; id: string; rows: number; columns: ImportColumn[]; skipped: number }
  | { type: 'rejected'; line: number; reason: string; cells: string[] }
  | { type: 'warned'; line: number; lead_id: string; warnings: string[] }
  | ({ type: 'progress' | 'done' } & ImportCounts)
  | ({ type: 'stopped'; message: string } & ImportCounts)
