import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead } from '#contract/leads'
import { get, type Page } from '../api.ts'

interface Seen {
  newest: Lead | undefined
  /** A lead that has the person's own email: a request may be merged into it instead of making one. */
  own: Lead | undefined
}

async function look(email: string, signal: AbortSignal): Promise<Seen> {
  const leads = async (query: object) => (await get<Page<Lead>>('/web/leads', { limit: 1, ...query }, signal)).data[0]
  const [newest, own] = await Promise.all([leads({ sort: 'newest' }), leads({ search: email, sort: 'updated' })])
  return { newest, own: own?.email?.toLowerCase() === email.toLowerCase() ? own : undefined }
}

/** The lead that came since the page was opened, made or merged into; asked for while the page is visible. */
export function useArrival(email: string) {
  const [begun] = useState(() => Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: ['leads', 'arrival', begun],
    queryFn: async ({ signal, client, queryKey }): Promise<Seen & { first: Seen; arrived: Lead | undefined }> => {
      const before = client.getQueryData<{ first: Seen; arrived: Lead | undefined }>(queryKey)
      const now = await look(email, signal)
      const first = before?.first ?? now
      return { ...now, first, arrived: before?.arrived ?? arrivedBetween(first, now) }
    },
    refetchInterval: ({ state }) => (state.data?.arrived ? false : 2000),
    refetchOnMount: false,
    staleTime: 0,
    gcTime: 0,
  })
  return { error, refetch, arrived: data?.arrived, merges: data?.first.own, seen: data !== undefined }
}

function arrivedBetween(first: Seen, { newest, own }: Seen): Lead | undefined {
  if (newest && newest.id !== first.newest?.id && newest.created_at >= (first.newest?.created_at ?? '')) return newest
  return own && own.updated_at !== first.own?.updated_at ? own : undefined
}
