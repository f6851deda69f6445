import { t } from '@lingui/core/macro'
import { Anchor, VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../ui/numbers.ts'
import styles from './ReportTable.module.css'

export interface ReportColumn<Row> {
  label: string
  /** Null is shown as a dash: there is no such figure. */
  value(row: Row): number | null | undefined
  /** Of the period before. A figure without it is as it is now. */
  before?: (row: Row) => number | null | undefined
  format?: (value: number) => string
  /** The list that has exactly what the figure counts. */
  target?: (row: Row) => LinkProps | undefined
  /** Shown instead of the figure. */
  cell?: (row: Row) => ReactNode
}

interface Props<Row> {
  label: string
  nameLabel: string
  columns: ReportColumn<Row>[]
  rows: Row[]
  total: Row
  keyOf(row: Row): string
  nameOf(row: Row): ReactNode
}

/** Figures with their change from the period before. The names stay while the figures scroll. */
export function ReportTable<Row>({ label, nameLabel, columns, rows, total, keyOf, nameOf }: Props<Row>) {
  const line = (row: Row, name: ReactNode, isTotal = false) => (
    <tr key={isTotal ? 'total' : keyOf(row)} className={isTotal ? styles.total : undefined}>
      <th scope="row" className={styles.name}>
        {name}
      </th>
      {columns.map((column) => (
        <td key={column.label}>{column.cell?.(row) ?? <FigureCell column={column} row={row} />}</td>
      ))}
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.name}>
              {nameLabel}
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {line(total, t`Total`, true)}
          {rows.map((row) => line(row, nameOf(row)))}
        </tbody>
      </table>
    </section>
  )
}

function FigureCell<Row>({ column, row }: { column: ReportColumn<Row>; row: Row }) {
  const { format = formatNumber } = column
  const value = column.value(row)
  const before = column.before?.(row)
  if (value === null || value === undefined) return '–'
  const target = column.target?.(row)
  return (
    <>
      {target ? (
        <Anchor component={Link} {...(target as object)} preload={false} inherit>
          {format(value)}
        </Anchor>
      ) : (
        format(value)
      )}
      {typeof before === 'number' && (
        <span className={styles.change}>
          {changeText(value - before, format)}
          <VisuallyHidden> {t`from ${{ before: format(before) }}`}</VisuallyHidden>
        </span>
      )}
    </>
  )
}

/** "+3", "−₹1,25,000", "±0": the sign says the direction. */
function changeText(change: number, format: (value: number) => string): string {
  if (change === 0) return '±0'
  return `${change > 0 ? '+' : '−'}${format(Math.abs(change))}`
}
