import { t } from '@lingui/core/macro'
import { Button, Combobox, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { contains } from '../../platform/ui/find-options.ts'
import styles from './BulkChanges.module.css'

/** The values of the options that are no email. */
const split = 'split'
const unassigned = 'unassigned'

interface Props {
  people: { name: string; email: string }[]
  disabled: boolean
  onAssign(email: string | null): void
  onSplit(): void
  mayUnassign: boolean
}

/** The owners of the selected leads. Many are searched. */
export function OwnerMenu({ people, disabled, onAssign, onSplit, mayUnassign }: Props) {
  const [search, setSearch] = useState('')
  const isSearchable = people.length > 8
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setSearch('')
    },
    onDropdownOpen: () => {
      if (isSearchable) combobox.focusSearchInput()
    },
  })
  const options = [
    ...(people.length > 1 ? [{ value: split, label: t`Split among several…` }] : []),
    ...(mayUnassign ? [{ value: unassigned, label: t`Unassigned` }] : []),
    ...people.map(({ name, email }) => ({ value: email, label: name })),
  ].filter(({ label }) => contains(label, search))
  const choose = (value: string) => {
    combobox.closeDropdown()
    if (value === split) onSplit()
    else onAssign(value === unassigned ? null : value)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="top-start" width={240}>
      <Combobox.Target targetType="button" withExpandedAttribute>
        <Button variant="default" aria-label={t`Owner`} disabled={disabled} onClick={() => combobox.toggleDropdown()}>
          {t`Owner`}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {isSearchable && (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              combobox.updateSelectedOptionIndex()
            }}
            placeholder={t`Search`}
            aria-label={t`Search ${{ filter: t`Owner`.toLowerCase() }}`}
            maxLength={100}
          />
        )}
        <Combobox.Options aria-label={t`Owner`} className={styles.options}>
          {options.map(({ value, label }) => (
            <Combobox.Option key={value} value={value}>
              {label}
            </Combobox.Option>
          ))}
          {options.length === 0 && <Combobox.Empty>{t`No matches`}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
