import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { LeadListSearch } from './lead-search.ts'

const route = getRouteApi('/signed-in/leads')

interface How {
  /** Keeps the scroll position, and adds no history entry. */
  quietly?: boolean
  replace?: boolean
}

/** Reads and changes the list's part of the URL. An open lead stays open. */
export function useListSearch() {
  const search = route.useSearch()
  const { leadId } = useParams({ strict: false })
  const navigate = useNavigate()
  const choose = useCallback(
    (change: LeadListSearch, { quietly = false, replace = quietly }: How = {}) => {
      // From the current URL, not the one of the last render: a lead may be opening.
      void navigate({
        to: '.',
        search: (held) => ({ ...(held as LeadListSearch), ...change }),
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
