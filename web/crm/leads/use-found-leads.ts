import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ListedLead } from '#contract/crm/leads'
import { get, type Page } from '../../platform/api/api.ts'
import { problemText } from '../../platform/ui/Problem.tsx'
import { rateLimitMessage } from '../../platform/ui/RateLimitNotice.tsx'
import { leadKeys } from './keys.ts'

const fewestCharacters = 2

/** Finds the first leads for what is typed: words, digits of a phone, or the beginning of an email. */
export function useFoundLeads(typed: string) {
  const wanted = typed.trim()
  const [search] = useDebouncedValue(wanted, 200)
  const isSearching = search.length >= fewestCharacters
  const { data, error, failureReason, isPlaceholderData } = useQuery({
    queryKey: leadKeys.palette(search),
    queryFn: ({ signal }) => get<Page<ListedLead>>('/web/leads', { search, limit: 8 }, signal),
    enabled: isSearching,
  })
  return {
    leads: isSearching ? (data?.data ?? []) : [],
    hasMore: isSearching && (data?.pagination.has_more ?? false),
    problem: error ? problemText(error) : rateLimitMessage(failureReason),
    /** Whether these are the leads of what is typed now. */
    isSettled: search === wanted && !isPlaceholderData && (!isSearching || data !== undefined),
  }
}
