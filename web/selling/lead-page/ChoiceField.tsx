import { t } from '@lingui/core/macro'
import { Combobox, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef } from 'react'
import { contains } from '../../platform/ui/find-options.ts'
import { areMany, OptionSearch, useOptionSearch } from '../../platform/ui/OptionSearch.tsx'
import { problemText } from '../../platform/ui/Problem.tsx'
import styles from './Field.module.css'
import { Field } from './Field.tsx'
import { holdKeys } from './hold-keys.ts'
import { useLeadKeys } from './lead-keys.ts'

interface Choice {
  value: string
  label: string
  shown?: ReactNode
}

interface Props {
  /** The button that opens the choices. */
  ref?: RefObject<HTMLButtonElement | null>
  label: string
  value: string
  choices: Choice[]
  /** Opens the choices. */
  shortcut?: string
  save(value: string): Promise<unknown>
}

/** A choice that is saved at once. */
export function ChoiceField({ ref, label, value, choices, shortcut, save }: Props) {
  const valueId = useId()
  const saving = useMutation({ mutationFn: save })
  const state = useOptionSearch(areMany(choices))
  const { combobox, search } = state
  const { isPending, variables } = saving
  const own = useRef<HTMLButtonElement>(null)
  const button = ref ?? own
  const open = () => {
    // At once: the next key may be an arrow.
    button.current?.focus()
    combobox.openDropdown()
  }
  useLeadKeys(shortcut ? { [shortcut]: open } : {})
  const shown = choices.find((choice) => choice.value === (isPending ? variables : value))
  const found = choices.filter((choice) => contains(choice.label, search))

  const choose = (chosen: string) => {
    combobox.closeDropdown()
    combobox.focusTarget()
    if (chosen !== value) saving.mutate(chosen)
  }

  return (
    <Field label={label}>
      {(labelId) => (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only stops keys from bubbling */}
          <div onKeyDown={holdKeys(combobox.dropdownOpened)}>
            <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={240}>
              <Combobox.Target targetType="button" withExpandedAttribute>
                <UnstyledButton
                  ref={button}
                  id={valueId}
                  className={styles.button}
                  data-choice
                  aria-keyshortcuts={shortcut}
                  aria-labelledby={`${labelId} ${valueId}`}
                  onClick={() => combobox.toggleDropdown()}
                >
                  {shown?.shown ?? shown?.label}
                  <IconChevronDown size={14} aria-hidden className={styles.chevron} />
                </UnstyledButton>
              </Combobox.Target>
              <Combobox.Dropdown>
                <OptionSearch state={state} label={label} />
                <Combobox.Options aria-label={label} className={styles.options}>
                  {found.map((choice) => (
                    <Combobox.Option key={choice.value} value={choice.value} active={choice.value === value}>
                      {choice.shown ?? choice.label}
                    </Combobox.Option>
                  ))}
                  {found.length === 0 && <Combobox.Empty>{t`No matches`}</Combobox.Empty>}
                </Combobox.Options>
                <WhenOpened opened={combobox.dropdownOpened} act={combobox.selectActiveOption} />
              </Combobox.Dropdown>
            </Combobox>
          </div>
          {saving.isError && (
            <div role="alert" className={styles.refused}>
              {problemText(saving.error)}
            </div>
          )}
        </>
      )}
    </Field>
  )
}

/** Placed after the options: they must be on the page before one of them is selected. They stay there while they are hidden. */
function WhenOpened({ opened, act }: { opened: boolean; act(): void }) {
  const onOpened = useEffectEvent(act)
  useEffect(() => {
    if (opened) onOpened()
  }, [opened])
  return null
}
