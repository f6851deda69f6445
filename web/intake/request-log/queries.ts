import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { LoggedRequest } from '#contract/intake/request-log'
import { type Chain, get } from '../../platform/api/api.ts'
import { isQuick, type RequestListSearch } from './request-search.ts'

const requestKeys = {
  list: (search: object) => ['requests', search],
  one: (id: string) => ['requests', 'one', id],
} as const

export const requestsQuery = (search: RequestListSearch) => {
  const { request: _open, ...filters } = search
  return infiniteQueryOptions({
    queryKey: requestKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      get<Chain<LoggedRequest>>('/web/requests', { ...filters, before: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    // An opened list shows what was received just now.
    staleTime: 0,
    // The request that is searched for may be saved in a second.
    refetchInterval: ({ state: { data } }) => (isQuick(search) && data?.pages[0]?.data.length === 0 ? 1000 : 10_000),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Null once it is deleted. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: requestKeys.one(id),
    queryFn: async ({ signal }) =>
      (await get<Chain<LoggedRequest>>('/web/requests', { search: id }, signal)).data[0] ?? null,
    placeholderData: undefined,
  })
