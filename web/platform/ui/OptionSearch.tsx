import { t } from '@lingui/core/macro'
import { Combobox, useCombobox } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'

/** Whether options are too many to see at a glance. */
export const areMany = ({ length }: { length: number }) => length > 8

/** The state of a button that opens options, which can be searched if they are many. */
export function useOptionSearch(isSearchable: boolean) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: (by) => {
      // A press beside it gives the focus to what was pressed.
      if (by === 'keyboard') combobox.focusTarget()
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => {
      if (isSearchable) combobox.focusSearchInput()
    },
  })
  return { combobox, search, setSearch, isSearchable }
}

interface Props {
  state: ReturnType<typeof useOptionSearch>
  /** What the options are of: "Owner". */
  label: string
  placeholder?: string
}

/** The search field above the options, if they can be searched. */
export function OptionSearch({ state: { combobox, search, setSearch, isSearchable }, label, placeholder }: Props) {
  // Enter chooses the first match.
  const onSearch = useEffectEvent(() => {
    if (search.trim()) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other options are shown
  useEffect(() => onSearch(), [search])
  if (!isSearchable) return null
  return (
    <Combobox.Search
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      placeholder={placeholder ?? t`Search`}
      aria-label={t`Search ${{ filter: label.toLowerCase() }}`}
      maxLength={100}
    />
  )
}
