import { useLocalStorage } from '@mantine/hooks'
import type { ViewColumn } from '#contract/crm/views'
import { useListSearch } from '../leads/use-list-search.ts'

/** The chosen columns: of the URL if a view is open, else of this browser. Undefined: all that fit. */
export function useShownColumns() {
  const { search, choose } = useListSearch()
  const [kept, keep] = useLocalStorage<ViewColumn[] | undefined>({
    key: 'lead-columns',
    getInitialValueInEffect: false,
  })
  const isInUrl = search.view !== undefined || search.columns !== undefined
  const shown = isInUrl ? search.columns : Array.isArray(kept) && kept.length > 0 ? kept : undefined
  const show = (columns: ViewColumn[] | undefined) => (isInUrl ? choose({ columns }, { quietly: true }) : keep(columns))
  return { shown, show }
}
