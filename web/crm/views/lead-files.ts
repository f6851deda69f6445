import { t } from '@lingui/core/macro'
import { type AnswerColumn, type FileColumn, type ListColumn, questionOf, viewColumns } from '#contract/crm/leads'
import type { ExportFile } from '../../platform/ui/ExportMenu.tsx'
import type { timeOf } from './view-search.ts'

interface Shown {
  shown: readonly ListColumn[]
  /** All leads are the user's own: the list has no owners. */
  isAgent: boolean
  /** Shown instead of the creation. */
  time: ReturnType<typeof timeOf>
}

/** Returns the columns of the list, in its order, as those of a file. */
export function columnsInFile({ shown, isAgent, time }: Shown): (FileColumn | AnswerColumn)[] {
  const answers = shown.filter((column): column is AnswerColumn => questionOf(column) !== undefined)
  const columns = viewColumns.flatMap((column): (FileColumn | AnswerColumn)[] => {
    const own = !shown.includes(column) || (column === 'owner' && isAgent) ? [] : [column]
    if (column === 'priority') return ['status', ...own]
    if (column === 'owner') return [...answers, ...own]
    return column === 'created' && own.length > 0 && !shown.includes(time) ? [time] : own
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
