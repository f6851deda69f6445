import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CloseButton, Combobox, Input, InputBase } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { contains } from './find-options.ts'
import styles from './ManyFilter.module.css'
import { areMany, OptionSearch, useOptionSearch } from './OptionSearch.tsx'

interface Props {
  label: string
  values: readonly string[]
  options: readonly (string | { value: string; label: string })[]
  /** Whether other values may be typed. */
  open?: boolean
  width: number | string
  onChange(values: string[]): void
}

const maxShown = 100

/** A filter by several values, of which a row has one. */
export function ManyFilter({ label, values, options, open = false, width, onChange }: Props) {
  const state = useOptionSearch(open || areMany(options))
  const { combobox, search, setSearch } = state
  const known = options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
  // A link may contain a value that is no longer in use.
  const others = values.filter((value) => !known.some((option) => option.value === value))
  const all = [...known, ...others.map((value) => ({ value, label: value }))]
  const typed = search.trim()
  const shown = all.filter((option) => contains(option.label, typed)).slice(0, maxShown)
  const isNew = open && typed !== '' && !all.some((option) => option.label.toLowerCase() === typed.toLowerCase())
  const chosen = all.filter(({ value }) => values.includes(value)).map((option) => option.label)

  const toggle = (value: string) => {
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
    setSearch('')
  }

  return (
    <Combobox store={combobox} onOptionSubmit={toggle} position="bottom-start" width={240}>
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          component="button"
          type="button"
          role="combobox"
          pointer
          // As wide as its value.
          {...(typeof width === 'number' ? { miw: width, maw: 240 } : { w: width })}
          aria-label={label}
          title={chosen.length > 0 ? `${label}: ${chosen.join(', ')}` : undefined}
          onClick={() => combobox.toggleDropdown()}
          rightSection={
            chosen.length > 0 ? (
              <CloseButton
                size="sm"
                tabIndex={-1}
                aria-label={t`Clear ${{ filter: label.toLowerCase() }}`}
                onClick={() => onChange([])}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
          rightSectionPointerEvents={chosen.length > 0 ? 'all' : 'none'}
        >
          {chosen.length === 0 ? (
            <Input.Placeholder>{label}</Input.Placeholder>
          ) : (
            <span className={styles.chosen}>{chosen.length > 1 ? `${label} · ${chosen.length}` : chosen[0]}</span>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <OptionSearch state={state} label={label} {...(open && { placeholder: t`Search or type` })} />
        <Combobox.Options aria-label={label} className={styles.options}>
          {shown.map((option) => (
            <Combobox.Option key={option.value} value={option.value} active={values.includes(option.value)}>
              <span className={styles.option}>
                <IconCheck size={14} aria-hidden data-chosen={values.includes(option.value) || undefined} />
                {option.label}
              </span>
            </Combobox.Option>
          ))}
          {isNew && (
            <Combobox.Option value={typed}>
              <Trans>Use “{typed}”</Trans>
            </Combobox.Option>
          )}
          {shown.length === 0 && !isNew && <Combobox.Empty>{t`No matches`}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
