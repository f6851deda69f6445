import { t } from '@lingui/core/macro'
import { Anchor, Select, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react'
import { Link, type LinkProps, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { useTight } from '../../platform/ui/screen-size.ts'
import styles from './ReportTable.module.css'
import { reportSearch } from './report-search.ts'

export interface ReportColumn<Row> {
  /** In the URL. */
  key: string
  /** Below the label of its group: "Median". */
  label: string
  /** By itself, if it says more: "First call, median". */
  title?: string
  /** Null is shown as a dash: there is no such figure. */
  value(row: Row): number | null | undefined
  /** The figure of the period before. A figure without it is as it is now. */
  before?: (row: Row) => number | null | undefined
  format?: (value: number) => string
  /** The list that has exactly what the figure counts. */
  target?: (row: Row) => LinkProps | undefined
  /** Shown instead of the figure. */
  cell?: (row: Row) => ReactNode
}

/** Figures that are read together. A phone has room for those of one group. */
export interface ColumnGroup<Row> {
  /** In the URL. */
  key: string
  label: string
  columns: ReportColumn<Row>[]
}

interface Props<Row> {
  label: string
  nameLabel: string
  groups: ColumnGroup<Row>[]
  rows: Row[]
  total: Row
  keyOf(row: Row): string
  nameOf(row: Row): ReactNode
  /** Rows that are no names, after the others. */
  isLast(row: Row): boolean
}

/**
 * Figures with their change from the period before. The names stay while the figures scroll. A narrow screen has the figures of the
 * chosen group.
 */
export function ReportTable<Row>({ label, nameLabel, groups, rows, total, keyOf, nameOf, isLast }: Props<Row>) {
  const search = reportSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const tight = useTight()
  const chosen = groups.find(({ key }) => key === search.figures) ?? groups[0]!
  const shown = tight ? [chosen] : groups
  const sorted = groups.flatMap(({ columns }) => columns).find(({ key }) => key === search.sort)
  const sign = search.reverse ? -1 : 1
  const inOrder = sorted
    ? rows.toSorted(
        (one, other) =>
          Number(isLast(one)) - Number(isLast(other)) || sign * (figureOf(sorted, other) - figureOf(sorted, one)),
      )
    : rows
  // The largest first, then the smallest, then by name again.
  const sortBy = (key: string) => {
    const [sort, reverse] =
      key !== search.sort ? [key, undefined] : search.reverse ? [undefined, undefined] : [key, true as const]
    void navigate({ to: '/reports', search: { ...search, sort, reverse }, replace: true, resetScroll: false })
  }
  const order = search.reverse ? 'ascending' : 'descending'

  const cells = (cell: (column: ReportColumn<Row>, startsGroup: true | undefined) => ReactNode) =>
    shown.flatMap(({ columns }) => columns.map((column, index) => cell(column, index === 0 || undefined)))
  const line = (row: Row, name: ReactNode, isTotal = false) => (
    <tr key={isTotal ? 'total' : keyOf(row)} className={isTotal ? styles.total : undefined}>
      <th scope="row" className={styles.name}>
        {name}
      </th>
      {cells((column, startsGroup) => (
        <td key={column.key} data-starts-group={startsGroup}>
          {column.cell?.(row) ?? <FigureCell column={column} row={row} />}
        </td>
      ))}
    </tr>
  )
  return (
    <Stack gap={8}>
      {tight && (
        <Select
          aria-label={t`Columns`}
          leftSection={<IconColumns size={16} aria-hidden />}
          data={groups.map(({ key, label }) => ({ value: key, label }))}
          value={chosen.key}
          allowDeselect={false}
          onChange={(figures) =>
            void navigate({ to: '/reports', search: { ...search, figures: figures! }, replace: true })
          }
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <section className={styles.frame} aria-label={label} tabIndex={0}>
        <table className={styles.table}>
          <colgroup />
          {shown.map(({ key, columns }) => (
            <colgroup key={key} span={columns.length} />
          ))}
          <thead>
            {!tight && (
              <tr>
                <td className={`${styles.name} ${styles.group}`} />
                {shown.map(({ key, label, columns }) => (
                  <th key={key} scope="colgroup" colSpan={columns.length} className={styles.group} data-starts-group>
                    {label}
                  </th>
                ))}
              </tr>
            )}
            <tr>
              <th scope="col" className={styles.name} aria-sort={sorted ? undefined : 'ascending'}>
                {nameLabel}
              </th>
              {cells(({ key, label, title }, startsGroup) => (
                <th
                  key={key}
                  scope="col"
                  title={title}
                  data-starts-group={startsGroup}
                  aria-sort={key === sorted?.key ? order : undefined}
                >
                  <UnstyledButton className={styles.sort} onClick={() => sortBy(key)}>
                    {label}
                    {key === sorted?.key &&
                      (search.reverse ? (
                        <IconArrowUp size={14} aria-hidden />
                      ) : (
                        <IconArrowDown size={14} aria-hidden />
                      ))}
                  </UnstyledButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {line(total, t`Total`, true)}
            {inOrder.map((row) => line(row, nameOf(row)))}
          </tbody>
        </table>
      </section>
    </Stack>
  )
}

/** Rows without the figure are the smallest. */
const figureOf = <Row,>(column: ReportColumn<Row>, row: Row) => column.value(row) ?? -1

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
