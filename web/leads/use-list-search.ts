import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { LeadListSearch } from './lead-search.ts'

const route = getRouteApi('/signed-in/leads')

interface How {
  /** Where one reads stays where it is, and Back does not lead here. */
  quietly?: boolean
  replace?: boolean
}

/** What the address says of the list, and how to change that while the open lead stays open. */
export function useListSearch() {
  const search = route.useSearch()
  const { leadId } = useParams({ strict: false })
  const navigate = useNavigate()
  const choose = useCallback(
    (change: LeadListSearch, { quietly = false, replace = quietly }: How = {}) => {
      // From where the address is by now, not where the page was drawn: a lead may be opening.
      void navigate({
        to: '.',
        search: (held: LeadListSearch) => ({ ...held, ...change }),
        replace,
        resetScroll: !quietly,
      })
    },
    [navigate],
  )
  /** Back closes the form again. */
  const add = useCallback(() => choose({ add: true }, { quietly: true, replace: false }), [choose])
  return { search, leadId, choose, add }
}
