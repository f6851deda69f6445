import { t } from '@lingui/core/macro'
import { Checkbox, Skeleton, Table, UnstyledButton } from '@mantine/core'
import type { HotkeyItem } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import styles from './DataTable.module.css'
import { usePageKeys } from './page-keys.ts'
import { useNarrow, useWide } from './screen-size.ts'
import { useLongPress } from './use-long-press.ts'

export interface Column<Row> {
  /** By default the header. */
  key?: string
  header: string
  /** A longer header than the column is wide ends in dots. */
  cutsHeader?: true
  cell(row: Row): ReactNode
  align?: 'right'
  /** In pixels; without a width the column takes the rest. `100%`: it takes what the others leave, which are as narrow as they can be. */
  width?: number | '100%'
  /** The header is a button that sorts by this column. */
  sort?: { state: 'ascending' | 'descending' | 'none'; onSort(): void } | undefined
}

/** A column that is shown if the table is at least `from` pixels wide. */
export interface ResponsiveColumn<Row> extends Column<Row> {
  from: number
}

/** Returns the columns for a table of that width. */
export const columnsFor = <Row,>(columns: (ResponsiveColumn<Row> | false)[], width: number): Column<Row>[] =>
  columns.filter((column) => column !== false).filter(({ from }) => from <= width)

/** Rows that can be selected. `x` selects the row with the focus, shift all up to it, and on a phone a long press the first one. */
export interface RowSelection<Row> {
  has(key: string): boolean
  /** With `isRange` all rows from the last one to this one. */
  toggle(key: string, isRange?: boolean): void
  /** Selects all shown rows, or none. */
  toggleShown(): void
  /** How many of the shown rows are selected. */
  state: 'none' | 'some' | 'all'
  /** On a phone, rows have checkboxes while some are selected. */
  isOpen: boolean
  nameOf(row: Row): string
}

interface Props<Row> {
  /** What the table lists: "Leads". */
  label: string
  /** The first column holds a link or a button that opens the row, if rows open. */
  columns: Column<Row>[]
  /** Undefined while they load. */
  rows: Row[] | undefined
  rowKey(row: Row): string
  /** The two lines of a row on a narrow screen. */
  narrow(row: Row): { first: ReactNode; second: ReactNode }
  onOpen?(row: Row): void
  /** The key of the row that is open beside the table. Moving then opens the next row. */
  openKey?: string | undefined
  /** Shows a list instead of a table on medium screens too. */
  manyColumns?: boolean
  busy?: boolean
  /** Called by a move beyond the last row (1) or the first (-1), such as to go to the next page. */
  onBeyond?: ((by: 1 | -1) => void) | undefined
  selection?: RowSelection<Row> | undefined
  /** In pixels: below this width, the table scrolls. */
  minWidth?: number
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** The number of rows of the skeleton. */
  expected?: number
}

/** A table; on a narrow screen a list of rows of two lines. `j`, `k` and the arrows move, Enter opens. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  narrow,
  onOpen,
  openKey,
  manyColumns = false,
  busy,
  onBeyond,
  selection,
  minWidth = 0,
  empty,
  expected = 10,
}: Props<Row>) {
  const narrowScreen = useNarrow()
  const wideScreen = useWide()
  const isNarrow = narrowScreen || (manyColumns && !wideScreen)
  const body = useRef<HTMLDivElement>(null)

  const openAt = useRef(-1)
  useEffect(() => {
    const at = rows?.findIndex((row) => rowKey(row) === openKey) ?? -1
    if (at >= 0 || openKey === undefined) openAt.current = at
  })

  const move = (by: 1 | -1) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = links.findIndex((row) => row.dataset.open !== undefined || row.contains(document.activeElement))
    // A change may have removed the open row from the list: the next row is at its position now.
    const closest = by > 0 ? openAt.current : openAt.current - 1
    const wanted = at >= 0 ? at + by : openAt.current >= 0 ? closest : by > 0 ? 0 : links.length - 1
    if (at >= 0 && (wanted < 0 || wanted >= links.length)) onBeyond?.(by)
    const next = links[wanted]
    const row = rows?.find((candidate) => rowKey(candidate) === next?.dataset.row)
    if (!next || row === undefined) return
    next.querySelector<HTMLElement>('a, button')?.focus()
    next.scrollIntoView({ block: 'nearest' })
    if (openKey !== undefined) onOpen?.(row)
  }
  const selectCurrent = ({ shiftKey }: KeyboardEvent) => {
    const all = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const row = all.find((one) => one.contains(document.activeElement) || one.dataset.open !== undefined)
    if (row?.dataset.row) selection?.toggle(row.dataset.row, shiftKey)
  }
  const selectKeys: HotkeyItem[] = [
    ['x', selectCurrent],
    ['shift+X', selectCurrent],
  ]
  usePageKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['ArrowDown', () => move(1)],
    ['ArrowUp', () => move(-1)],
    ...(selection ? selectKeys : []),
  ])
  const longPress = useLongPress((row) => selection?.toggle(row))

  useOneTabStop(body, onOpen !== undefined)

  if (rows?.length === 0 && empty) return empty
  const placeholders = Array.from({ length: expected }, (_, index) => index)

  return <div ref={body}>{isNarrow ? list() : table()}</div>

  function checkbox(row: Row) {
    const key = rowKey(row)
    return (
      <Checkbox
        size="xs"
        aria-label={t`Select ${{ name: selection!.nameOf(row) }}`}
        checked={selection!.has(key)}
        onChange={({ nativeEvent }) => selection!.toggle(key, (nativeEvent as MouseEvent).shiftKey)}
      />
    )
  }

  function list() {
    return (
      <ul className={styles.rows} aria-label={label} aria-busy={busy || !rows}>
        {rows?.map((row) => {
          const { first, second } = narrow(row)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the row's own link is there for the keyboard
            <li
              key={rowKey(row)}
              data-row={rowKey(row)}
              data-opens={onOpen && true}
              data-selected={selection?.has(rowKey(row)) || undefined}
              data-selects={selection?.isOpen || undefined}
              onClick={opensRow(selection?.isOpen ? () => selection.toggle(rowKey(row)) : onOpen, row)}
              {...(selection && longPress)}
            >
              {selection?.isOpen && checkbox(row)}
              <div className={styles.lines}>
                <div className={styles.first}>{first}</div>
                <div className={styles.second}>{second}</div>
              </div>
            </li>
          )
        }) ??
          placeholders.map((index) => (
            <li key={index}>
              <Skeleton height={20} width="60%" mb={6} />
              <Skeleton height={16} width="80%" />
            </li>
          ))}
      </ul>
    )
  }

  function table() {
    return (
      <div ref={markOverflow} className={styles.scroll}>
        <Table
          aria-label={label}
          aria-busy={busy || !rows}
          highlightOnHover={Boolean(onOpen)}
          highlightOnHoverColor="var(--surface-sunken)"
          miw={minWidth}
          className={styles.table}
        >
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={40}>
                  <Checkbox
                    size="xs"
                    aria-label={t`Select all ${{ rows: label.toLowerCase() }} of this page`}
                    checked={selection.state === 'all'}
                    indeterminate={selection.state === 'some'}
                    disabled={!rows?.length}
                    onChange={selection.toggleShown}
                  />
                </Table.Th>
              )}
              {columns.map(({ key, header, cutsHeader, align, width, sort }) => (
                <Table.Th key={key ?? header} ta={align} w={width} scope="col" aria-sort={sort?.state}>
                  {sort ? (
                    <SortButton header={header} {...sort} />
                  ) : cutsHeader ? (
                    <span className={styles.cut} title={header}>
                      {header}
                    </span>
                  ) : (
                    header
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          {/* Plain cells: five hundred components would take most of the time to draw a list. */}
          <Table.Tbody>
            {rows?.map((row) => (
              <Table.Tr
                key={rowKey(row)}
                data-row={rowKey(row)}
                data-opens={onOpen && true}
                data-open={openKey === rowKey(row) || undefined}
                data-selected={selection?.has(rowKey(row)) || undefined}
                onClick={opensRow(onOpen, row)}
              >
                {selection && <td>{checkbox(row)}</td>}
                {columns.map(({ key, header, cell, align }) => (
                  <td key={key ?? header} data-align={align}>
                    {cell(row)}
                  </td>
                ))}
              </Table.Tr>
            )) ??
              placeholders.map((index) => (
                <Table.Tr key={index}>
                  {selection && <td />}
                  {columns.map(({ key, header }) => (
                    <td key={key ?? header}>
                      <Skeleton height={16} my={3} width={`${50 + ((index * 17) % 40)}%`} />
                    </td>
                  ))}
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </div>
    )
  }
}

/** Only a table that is wider than the page scrolls in its place: the header of any other stays in sight while the page scrolls. */
function markOverflow(place: HTMLDivElement) {
  const mark = () => place.toggleAttribute('data-overflows', place.scrollWidth > place.clientWidth)
  const observer = new ResizeObserver(mark)
  observer.observe(place)
  observer.observe(place.firstElementChild!)
  return () => observer.disconnect()
}

/**
 * Tab stops at the controls of one row: the open one, the one that had the focus last, or the first. Arrow keys lead to the
 * others. Otherwise a hundred links are between the list and what follows it.
 */
function useOneTabStop(body: RefObject<HTMLElement | null>, isOn: boolean) {
  const last = useRef<string>(undefined)
  useEffect(() => {
    const list = body.current
    if (!list || !isOn) return
    const update = () => {
      const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')]
      const stop =
        rows.find((row) => row.contains(document.activeElement)) ??
        rows.find(({ dataset }) => dataset.open !== undefined) ??
        rows.find(({ dataset }) => dataset.row === last.current) ??
        rows[0]
      last.current = stop?.dataset.row
      for (const row of rows)
        for (const control of row.querySelectorAll<HTMLElement>('a, button, input'))
          control.tabIndex = row === stop ? 0 : -1
    }
    update()
    list.addEventListener('focusin', update)
    return () => list.removeEventListener('focusin', update)
  })
}

function SortButton({ header, state, onSort }: { header: string } & NonNullable<Column<never>['sort']>) {
  const Sign = state === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <UnstyledButton className={styles.sort} data-sorted={state !== 'none' || undefined} onClick={onSort}>
      {header}
      <Sign size={14} aria-hidden />
    </UnstyledButton>
  )
}

/** Opens a row on click, except on its links and controls, and except at the end of a text selection. */
const opensRow =
  <Row,>(onOpen: ((row: Row) => void) | undefined, row: Row) =>
  (event: { target: EventTarget; currentTarget: Element }) => {
    // Clicks in a dialog of the row bubble up to here.
    if (!event.currentTarget.contains(event.target as Element)) return
    if (!onOpen || (event.target as Element).closest('a, button, input, label') || getSelection()?.toString()) return
    onOpen(row)
  }
