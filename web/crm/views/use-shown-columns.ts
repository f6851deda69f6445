import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ListColumn } from '#contract/crm/leads'
import { sharedState } from '../../platform/api/shared-state.ts'
import { choicesQuery } from '../leads/queries.ts'
import { useListSearch } from '../leads/use-list-search.ts'
import { usedColumns } from './view-search.ts'

/** The columns that the table has room for while none are chosen, joined; null until it was drawn. */
const fitting = sharedState<string | null>(null)
export const noteFitting = (columns: readonly ListColumn[]) => fitting.set(columns.join())

/**
 * The chosen columns: of the URL if a view is open, else of this browser. Undefined: all that are used and fit. `shown` has also those that
 * do not fit, `visible` has not.
 */
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
  const fit = fitting.use()
  const visible = chosen ?? used.filter((column) => fit === null || fit.split(',').includes(column))
  return { chosen, shown: chosen ?? used, visible, used, show }
}
