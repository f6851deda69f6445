import { t } from '@lingui/core/macro'
import { type AnswerColumn, type FileColumn, type ListColumn, questionOf, viewColumns } from '#contract/crm/leads'
import type { ExportFile } from '../../platform/ui/ExportMenu.tsx'

interface Shown {
  shown: readonly ListColumn[]
  /** All leads are the user's own: the list has no owners. */
  isAgent: boolean
  /** The list is sorted by the last change, which it then shows instead of the creation. */
  byChange: boolean
}

/** Returns the columns of the list, in its order, as those of a file. */
export function columnsInFile({ shown, isAgent, byChange }: Shown): (FileColumn | AnswerColumn)[] {
  const answers = shown.filter((column): column is AnswerColumn => questionOf(column) !== undefined)
  const hasUpdated = shown.includes('updated')
  const columns = viewColumns.flatMap((column): (FileColumn | AnswerColumn)[] => {
    const own = !shown.includes(column) || (column === 'owner' && isAgent) ? [] : [column]
    if (column === 'priority') return ['status', ...own]
    if (column === 'owner') return [...answers, ...own]
    return column === 'created' && byChange && own.length > 0 && !hasUpdated ? ['updated'] : own
  })
  return ['name', ...columns]
}

/** Without `columns`: all of them. */
export interface LeadFile {
  format: 'xlsx' | 'csv'
  columns?: (FileColumn | AnswerColumn)[]
}

/** Returns the files of leads to choose from. */
export const leadFiles = (
  columns: (FileColumn | AnswerColumn)[],
  fileOf: (file: LeadFile) => Omit<ExportFile, 'label'>,
): ExportFile[] => [
  { label: t`Columns of the list, Excel (XLSX)`, ...fileOf({ format: 'xlsx', columns }) },
  { label: t`Columns of the list, CSV`, ...fileOf({ format: 'csv', columns }) },
  { label: t`All columns, Excel (XLSX)`, ...fileOf({ format: 'xlsx' }) },
  { label: t`All columns, CSV`, ...fileOf({ format: 'csv' }) },
]
