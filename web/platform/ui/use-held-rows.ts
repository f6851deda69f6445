import { useReducer, useRef } from 'react'
import { heldRows } from './held-rows.ts'

interface Loaded<Row> {
  data: { data: Row[] } | undefined
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
  const held = useRef<{ list: string; rows: Row[]; settled: boolean } | null>(null)
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
  // A list that was opened from the cache shows what is loaded then.
  const settled = isFetchedAfterMount || !isFetching
  const before = held.current
  if (!before?.settled || before.list !== list || before.rows.length === 0 || adopt) {
    held.current = { list, rows, settled }
    return { rows, added: 0, show }
  }
  const now = heldRows(before.rows, rows, keyOf)
  held.current = { list, rows: now.rows, settled }
  return { ...now, show }
}
