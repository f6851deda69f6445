import { type Static, Type } from 'typebox'
import { Line } from '../http/contract.ts'
import type { NewLead } from '../leads/contract.ts'
import type { MappedField } from '../payload/contract.ts'

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(Type.Enum(['true', 'false'])),
  columns: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'JSON: for each column by name the lead field it is, or ignore.' }),
  ),
  source: Type.Optional(Line(200, { description: 'For new leads without one. Default: CSV import.' })),
})
export type ImportQuery = Static<typeof ImportQuery>

export interface ImportColumn {
  name: string
  field: MappedField
  /** The reason for the mapping. */
  reason: string
}

/** The result of a dry run, with the first 200 rejected rows and rows with warnings. */
export interface ImportPreview {
  rows: number
  /** Estimated: other leads may be created or deleted before the import. */
  created: number
  merged: number
  refused: number
  warned: number
  columns: ImportColumn[]
  first_rows: { line: number; cells: string[]; lead: Partial<NewLead> | null }[]
  refused_rows: { line: number; reason: string; cells: string[] }[]
  warned_rows: { line: number; warnings: string[] }[]
}

export interface ImportCounts {
  read: number
  created: number
  merged: number
  refused: number
}

/** Sent during an import, each as a line of JSON. */
export type ImportEvent =
  | { type: 'started'; rows: number; columns: ImportColumn[] }
  | { type: 'refused'; line: number; reason: string; cells: string[] }
  | { type: 'warned'; line: number; lead_id: string; warnings: string[] }
  | ({ type: 'progress' | 'done' } & ImportCounts)
  | ({ type: 'stopped'; message: string } & ImportCounts)
