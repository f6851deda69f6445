import { useReducer, useRef } from 'react'
import type { Page } from '../api/api.ts'
import { heldRows } from './held-rows.ts'

interface Loaded<Row> {
  data: Page<Row> | undefined
  isPlaceholderData: boolean
  isFetching: boolean
  isFetchedAfterMount: boolean
}

const keyOf = ({ id }: { id: string }) => id

/**
 * Keeps the rows of a list in their places while others come. `show` shows those too. `list` identifies the list, and with
 * `adopt` all rows are shown as they are.
 */
export function useHeldRows<Row extends { id: string }>(loaded: Loaded<Row>, list: string, adopt: boolean) {
  const held = useRef<{ list: string; rows: Row[]; total: number; settled: boolean } | null>(null)
  const [, show] = useReducer((times: number) => {
    held.current = null
    return times + 1
  }, 0)
  const { data, isPlaceholderData, isFetching, isFetchedAfterMount } = loaded
  const rows = data?.data
  if (!rows || isPlaceholderData) {
    held.current = null
    return { rows, added: 0, show }
  }
  const { total } = data.pagination
  // A list that was opened from the cache shows what is loaded then.
  const settled = isFetchedAfterMount || !isFetching
  const before = held.current
  if (!before?.settled || before.list !== list || before.rows.length === 0 || adopt) {
    held.current = { list, rows, total, settled }
    return { rows, added: 0, show }
  }
  const now = heldRows(before.rows, rows, keyOf, total < before.total)
  held.current = { list, rows: now.rows, total, settled }
  return { ...now, show }
}
