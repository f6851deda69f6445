import type { DateOrder } from '../../platform/http/parse-time.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { lines } from '../payload/lead-draft.ts'
import type { ImportField, WarningKind } from './contract.ts'

export interface NamedCell {
  /** The name of its column. */
  name: string
  value: string
}

/** A cell that is imported. */
export interface Cell extends NamedCell {
  field: ImportField
  /** The cell as it is in the file. */
  sent: string
  order: DateOrder
}

export type Warn = (kind: WarningKind, text: Text) => void

/** Whether it is one of the two numbers of a call. */
export const isSide = ({ field }: { field: ImportField }) => field === 'call_from' || field === 'call_to'

/** Returns a value as warnings show it. */
export const shown = (text: string) => (lines(text)?.replace(/\s+/g, ' ') ?? '').slice(0, 200).toWellFormed()
