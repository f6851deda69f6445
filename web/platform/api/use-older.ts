import { hashKey, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from './query.ts'

interface Older<T> {
  queryKey: QueryKey
  newest: T[]
  /** Where the older ones start. Null: there are none. */
  start: number | null
  /** `isFull`: there are more, but not for this list. */
  page(from: number, signal: AbortSignal): Promise<{ rows: T[]; next: number | undefined; isFull?: boolean }>
  /** In milliseconds, beyond which the older ones are loaded again when they are shown again. */
  staleTime?: number
}

/**
 * The older entries of a list, loaded on demand: `ask` loads a page. An entry that moves to the next page meanwhile is loaded twice and
 * shown once. The pages stay cached for users who come back to the list.
 */
export function useOlder<T extends { id: string | number }>({ queryKey, newest, start, page, staleTime }: Older<T>) {
  const list = hashKey(queryKey)
  const last = newest.at(-1)?.id
  const [askedFor, setAskedFor] = useState('')
  const asked = askedFor === list || queryClient.getQueryData(queryKey) !== undefined
  const { data, error, isFetching, isFetchingNextPage, isLoading, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey,
      queryFn: async ({ pageParam, signal }) => ({ ...(await page(pageParam, signal)), after: last }),
      initialPageParam: start ?? 0,
      getNextPageParam: ({ next }) => next,
      placeholderData: undefined,
      enabled: asked && start !== null,
      gcTime: cacheMs,
      ...(staleTime === undefined ? {} : { staleTime }),
    })
  // Between the newest and those that followed others, some may be missing.
  const isBehind =
    asked && start !== null && !isFetching && !error && data !== undefined && data.pages[0]?.after !== last
  useEffect(() => {
    if (isBehind) void refetch()
  }, [isBehind, refetch])
  const known = new Map<T['id'], T>()
  for (const row of [...newest, ...(data?.pages.flatMap(({ rows }) => rows) ?? [])])
    if (!known.has(row.id)) known.set(row.id, row)
  return {
    known: [...known.values()],
    isFull: data?.pages.at(-1)?.isFull ?? false,
    hasMore: start !== null && (data === undefined || hasNextPage),
    ask: () => (asked ? void fetchNextPage() : setAskedFor(list)),
    isFetching,
    /** Whether more are on the way, rather than the same again. */
    isLoadingMore: isLoading || isFetchingNextPage,
    error,
    /** Loads the same again. */
    retry: () => asked && void refetch(),
  }
}

/** As long as a call may take from which the user comes back. */
export const cacheMs = 30 * 60_000
