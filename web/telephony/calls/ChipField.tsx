import { Chip, Group, type MantineSize } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './CallForm.module.css'

interface Props {
  legend: ReactNode
  choices: readonly { value: string; label: ReactNode }[]
  /** The input props of the form, or the value that is shown. */
  defaultValue?: string
  value?: string
  onChange?(value: string): void
  /** Called if the chosen one is pressed again. */
  onClear?(): void
  size?: MantineSize
}

/** One of several choices. The group is one tab stop; arrow keys choose. */
export function ChipField({ legend, choices, size = 'sm', onClear, ...input }: Props) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      <Chip.Group {...input}>
        <Group gap={8} className={styles.row!}>
          {choices.map(({ value, label }) => (
            <Chip
              key={value}
              value={value}
              size={size}
              name={name}
              {...(onClear && value === input.value ? { onClick: onClear } : {})}
            >
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </fieldset>
  )
}
