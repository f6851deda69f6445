import { type View, type ViewSearch, viewColumns } from '#contract/crm/views'
import { type LeadListSearch, leadSearch } from '../leads/lead-search.ts'

/** The part of the list's URL that a view holds. Values in the order of the alphabet, because their order means nothing. */
export function viewSearchOf({ view, offset, add, ...search }: LeadListSearch): ViewSearch {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]))
}

/** The URL of a view. Values that are no longer valid are left out. */
export const searchOfView = ({ id, search }: Pick<View, 'id' | 'search'>): LeadListSearch => ({
  ...leadSearch(search),
  view: id,
})

/** Whether the URL has other filters, another order or other columns than the view. */
export function isChanged(view: View, search: LeadListSearch): boolean {
  const textOf = (one: LeadListSearch) => JSON.stringify(Object.entries(viewSearchOf(one)).sort())
  return textOf(searchOfView(view)) !== textOf(search)
}

/** Returns the columns after one was shown or hidden; undefined if all are shown. One stays. */
export function toggleColumn(shown: readonly ViewColumn[] = viewColumns, column: ViewColumn): ViewColumn[] | undefined {
  const next = viewColumns.filter((one) => (one === column ? !shown.includes(one) : shown.includes(one)))
  if (next.length === 0) return [column]
  return next.length === viewColumns.length ? undefined : next
}

type ViewColumn = (typeof viewColumns)[number]
