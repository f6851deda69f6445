import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { LeadListSearch } from './lead-search.ts'

const route = getRouteApi('/signed-in/leads')

/** What the address says of the list, and how to change that while the open lead stays open. */
export function useChoosing() {
  const search = route.useSearch()
  const { leadId } = useParams({ strict: false })
  const navigate = useNavigate()
  const choose = useCallback(
    (change: LeadListSearch, { quietly = false } = {}) => {
      // From where the address is by now, not where the page was drawn: a lead may be opening.
      void navigate({
        to: '.',
        search: (held: LeadListSearch) => ({ ...held, ...change }),
        replace: quietly,
        resetScroll: !quietly,
      })
    },
    [navigate],
  )
  return { search, leadId, choose }
}
