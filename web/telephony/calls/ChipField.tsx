import { Chip, Group, type MantineSize } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './CallForm.module.css'

interface Props {
  legend: string
  choices: readonly { value: string; label: ReactNode }[]
  /** The input props of the form. */
  defaultValue?: string
  onChange?(value: string): void
  size?: MantineSize
}

/** One of several choices. The group is one tab stop; arrow keys choose. */
export function ChipField({ legend, choices, size = 'sm', ...input }: Props) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      <Chip.Group {...input}>
        <Group gap={8}>
          {choices.map(({ value, label }) => (
            <Chip key={value} value={value} size={size} name={name}>
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </fieldset>
  )
}
