import {
  columnsByChoice,
  type LeadSort,
  type ListColumn,
  maxQuestions,
  type OriginField,
  originFields,
  questionOf,
  type ViewColumn,
  valuesByChoice,
  viewColumns,
} from '#contract/crm/leads'
import type { View, ViewSearch } from '#contract/crm/views'
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

/** Returns the columns that an account has values for. All of them that fit are shown until a user chooses columns. */
export const usedColumns = (choices: Record<OriginField, string[]> | undefined): ViewColumn[] =>
  viewColumns.filter(
    (column) => !isOneOf(columnsByChoice, column) && (!isOrigin(column) || (choices?.[column].length ?? 0) > 0),
  )

const isOneOf = <T extends ListColumn>(columns: readonly T[], column: ListColumn): column is T =>
  columns.includes(column as T)

const isOrigin = (column: ViewColumn): column is OriginField => originFields.includes(column as OriginField)

/** The time by which a list is sorted, which it shows instead of the creation. */
export const timeOf = (sort: LeadSort | undefined) => (sort === 'updated' || sort === 'closed' ? sort : 'created')

/** Returns the values of columns that the list must be asked for. */
export const valuesOf = (columns: readonly ListColumn[], sort: LeadSort | undefined) =>
  valuesByChoice.filter((value) => columns.includes(value) || value === timeOf(sort))

export const questionsOf = (columns: readonly ListColumn[]) =>
  columns.flatMap((column) => questionOf(column) ?? []).slice(0, maxQuestions)

/** Returns the columns after one was shown or hidden; undefined if all that are `used` are. One stays. */
export function toggleColumn(
  shown: readonly ListColumn[],
  column: ListColumn,
  used: readonly ViewColumn[],
): ListColumn[] | undefined {
  const chosen = shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column]
  const answers = chosen.filter((one) => questionOf(one) !== undefined)
  const next = [...viewColumns.filter((one) => chosen.includes(one)), ...answers]
  if (next.length === 0) return [column]
  return next.join() === used.join() ? undefined : next
}
