import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../platform/api/query.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { duplicatesPerPage, duplicatesQuery, keptFirst } from './queries.ts'

/** Returns a function that opens the pair at a place of the list, from 1, or the list if there is none. `done` pairs have left it. */
export function useNextPair() {
  const navigate = useNavigate()
  return async (pair: number, done: number) => {
    const { data } = await queryClient.fetchQuery({ ...duplicatesQuery(pair - 1, 1), staleTime: 0 })
    const [next] = data
    if (!next) {
      await navigate({ to: '/leads/duplicates', search: {} })
      return notify(t`That was the last pair`)
    }
    const [keep, other] = keptFirst(next)
    await navigate({ to: '/leads/merge', search: { keep: keep.id, other: other.id, pair, done: done || undefined } })
    scrollTo({ top: 0 })
  }
}

/** The page of the list on which a pair is. */
export const pageOf = (pair: number) => Math.floor((pair - 1) / duplicatesPerPage) * duplicatesPerPage || undefined
