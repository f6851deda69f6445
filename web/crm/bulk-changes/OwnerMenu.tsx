import { t } from '@lingui/core/macro'
import { Button, Combobox } from '@mantine/core'
import type { LeadChoices } from '#contract/crm/leads'
import { contains } from '../../platform/ui/find-options.ts'
import { areMany, OptionSearch, useOptionSearch } from '../../platform/ui/OptionSearch.tsx'
import { useUserStates } from '../availability/use-user-states.ts'
import styles from './BulkChanges.module.css'

/** The values of the options that are no email. */
const split = 'split'
const unassigned = 'unassigned'

interface Props {
  people: LeadChoices['people']
  disabled: boolean
  onAssign(email: string | null): void
  onSplit(): void
  mayUnassign: boolean
}

/** The owners of the selected leads. Many are searched. */
export function OwnerMenu({ people, disabled, onAssign, onSplit, mayUnassign }: Props) {
  const state = useOptionSearch(areMany(people))
  const { combobox, search } = state
  const { withState } = useUserStates()
  const options = [
    ...(people.length > 1 ? [{ value: split, label: t`Split among several…` }] : []),
    ...(mayUnassign ? [{ value: unassigned, label: t`Unassigned` }] : []),
    ...people.map(({ id, name, email }) => ({ value: email, label: withState(name, id) })),
  ].filter(({ label }) => contains(label, search))
  const choose = (value: string) => {
    combobox.closeDropdown()
    combobox.focusTarget()
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
        <OptionSearch state={state} label={t`Owner`} />
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
