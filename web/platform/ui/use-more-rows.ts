import type { QueryKey } from '@tanstack/react-query'
import type { Page } from '../api/api.ts'
import { useOlder } from '../api/use-older.ts'
import type { useHeldRows } from './use-held-rows.ts'

/** A phone keeps so many rows of a list on one page. */
const maxRows = 1000
/** Longer than for the first rows, which are live: all that is loaded is asked for again. */
const staleTime = 5 * 60_000

interface Options<Row extends { id: string }> {
  /** On a phone; elsewhere a list has pages. */
  isOn: boolean
  queryKey: QueryKey
  loaded: { data: Page<Row> | undefined; isPlaceholderData: boolean }
  /** The first rows, in their places. */
  held: ReturnType<typeof useHeldRows<Row>>
  loadFrom(offset: number, signal: AbortSignal): Promise<Page<Row>>
}

/** Adds to the first rows of a list those that were loaded by scrolling, and says how to load more: for `LoadMore`. */
export function useMoreRows<Row extends { id: string }>({ isOn, queryKey, loaded, held, loadFrom }: Options<Row>) {
  const page = loaded.isPlaceholderData ? undefined : loaded.data?.pagination
  const { offset, limit, has_more } = page ?? { offset: 0, limit: 0, has_more: false }
  const end = offset + maxRows
  const older = useOlder<Row>({
    queryKey: [...queryKey, 'more'],
    newest: held.rows ?? [],
    start: isOn && has_more ? offset + limit : null,
    staleTime,
    page: async (from, signal) => {
      const { data, pagination } = await loadFrom(from, signal)
      const next = pagination.has_more ? from + pagination.limit : undefined
      const isFull = next !== undefined && next >= end
      return { rows: data, next: isFull ? undefined : next, isFull }
    },
  })
  return {
    ...held,
    rows: isOn && held.rows ? older.known : held.rows,
    more: {
      ...older,
      offset,
      shown: older.known.length,
      /** Where the list goes on, if this page of it is full. */
      next: older.isFull ? end : null,
    },
  }
}
