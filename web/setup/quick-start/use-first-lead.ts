import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead } from '#contract/crm/leads'
import { leadKeys } from '../../crm/leads/keys.ts'
import { get, type Page } from '../../platform/api/api.ts'

interface Seen {
  newest: Lead | undefined
  /** The lead with the user's own email: the request merges into it instead of creating one. */
  own: Lead | undefined
}

async function readLeads(email: string, signal: AbortSignal): Promise<Seen> {
  const leads = async (query: object) => (await get<Page<Lead>>('/web/leads', { limit: 1, ...query }, signal)).data[0]
  const [newest, own] = await Promise.all([leads({ sort: 'newest' }), leads({ search: email, sort: 'updated' })])
  return { newest, own: own?.email?.toLowerCase() === email.toLowerCase() ? own : undefined }
}

/** Polls for a lead that was created or merged into since the page was opened. */
export function useFirstLead(email: string) {
  const [openedAt] = useState(() => Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: leadKeys.first(openedAt),
    queryFn: async ({ signal, client, queryKey }): Promise<Seen & { first: Seen; arrived: Lead | undefined }> => {
      const before = client.getQueryData<{ first: Seen; arrived: Lead | undefined }>(queryKey)
      const now = await readLeads(email, signal)
      const first = before?.first ?? now
      return { ...now, first, arrived: before?.arrived ?? arrivedBetween(first, now) }
    },
    refetchInterval: ({ state }) => (state.data?.arrived ? false : 2000),
    refetchOnMount: false,
    staleTime: 0,
    gcTime: 0,
  })
  return { error, refetch, arrived: data?.arrived, existing: data?.first.own, seen: data !== undefined }
}

function arrivedBetween(first: Seen, { newest, own }: Seen): Lead | undefined {
  if (newest && newest.id !== first.newest?.id && newest.created_at >= (first.newest?.created_at ?? '')) return newest
  return own && own.updated_at !== first.own?.updated_at ? own : undefined
}
