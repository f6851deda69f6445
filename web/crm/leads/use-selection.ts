import { hashKey } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ListedLead, maxChosenLeads } from '#contract/crm/leads'
import type { RowSelection } from '../../platform/ui/DataTable.tsx'
import type { LeadListSearch } from './lead-search.ts'
import { chosenBy } from './queries.ts'

export interface LeadSelection extends RowSelection<ListedLead> {
  ids: string[]
  /** All leads that match the filters are selected. */
  isAll: boolean
  selectAll(): void
  /** Shows checkboxes on a phone. */
  open(): void
  clear(): void
}

/** The selected leads of a list. They stay selected on other pages of it, and not with other filters. */
export function useSelection(search: LeadListSearch, leads: ListedLead[] | undefined): LeadSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const [opened, setOpened] = useState(false)
  const last = useRef<string>(undefined)
  const filters = hashKey([chosenBy(search)])
  const clear = () => {
    setIds(new Set())
    setAll(false)
    setOpened(false)
    last.current = undefined
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for other filters
  useEffect(clear, [filters])

  const shown = leads?.map(({ id }) => id) ?? []
  const selected = shown.filter((id) => isAll || ids.has(id)).length
  const choose = (keys: string[], isChosen: boolean) => {
    const next = new Set(isAll ? shown : ids)
    for (const key of keys) {
      if (!isChosen) next.delete(key)
      else if (next.size < maxChosenLeads) next.add(key)
    }
    setAll(false)
    setIds(next)
  }
  return {
    ids: [...ids],
    isAll,
    has: (id) => isAll || ids.has(id),
    toggle: (id, isRange = false) => {
      const isChosen = !(isAll || ids.has(id))
      const [from, to] = [last.current ? shown.indexOf(last.current) : -1, shown.indexOf(id)]
      const range = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      last.current = id
      choose(range, isRange || isChosen)
    },
    toggleShown: () => choose(shown, selected < shown.length),
    state: selected === 0 ? 'none' : selected === shown.length ? 'all' : 'some',
    isOpen: opened || isAll || ids.size > 0,
    nameOf: ({ name }) => name,
    selectAll: () => setAll(true),
    open: () => setOpened(true),
    clear,
  }
}
