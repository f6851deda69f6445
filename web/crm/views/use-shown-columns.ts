import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ListColumn } from '#contract/crm/leads'
import { choicesQuery } from '../leads/queries.ts'
import { useListSearch } from '../leads/use-list-search.ts'
import { usedColumns } from './view-search.ts'

/** The chosen columns: of the URL if a view is open, else of this browser. Undefined: all that are used and fit, which are `shown`. */
export function useShownColumns() {
  const { search, choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)
  const [kept, keep] = useLocalStorage<ListColumn[] | undefined>({
    key: 'lead-columns',
    getInitialValueInEffect: false,
  })
  const isInUrl = search.view !== undefined || search.columns !== undefined
  const chosen = isInUrl ? search.columns : Array.isArray(kept) && kept.length > 0 ? kept : undefined
  const used = usedColumns(choices)
  const show = (columns: ListColumn[] | undefined) => (isInUrl ? choose({ columns }, { quietly: true }) : keep(columns))
  return { chosen, shown: chosen ?? used, used, show }
}
