import { Button, Drawer, Group, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useNarrow } from './screen-size.ts'

export interface Filter {
  label: string
  value: string | undefined
  options: readonly (string | { value: string; label: string })[]
  onChange(value: string | undefined): void
}

interface Props {
  filters: Filter[]
  /** More filters, such as the dates. */
  children?: ReactNode
  /** The number of filters in `children` that are set. */
  childrenSet?: number
  /** Shows a button and a drawer, as on a narrow screen. */
  folded?: boolean
  onClear(): void
}

/** The filters above a list; on a narrow screen a button that opens a drawer. */
export function Filters({ filters, children, childrenSet = 0, folded = false, onClear }: Props) {
  const narrow = useNarrow()
  const inDrawer = narrow || folded
  const [opened, { open, close }] = useDisclosure()
  const set = filters.filter(({ value }) => value !== undefined).length + childrenSet

  const selects = filters.map(({ label, value, options, onChange }) => (
    <Select
      key={label}
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      searchable={options.length > 8}
      nothingFoundMessage="Nothing like that"
      w={inDrawer ? '100%' : 150}
    />
  ))

  if (!inDrawer)
    return (
      <Group gap={8} role="group" aria-label="Filters">
        {selects}
        {children}
        {set > 0 && (
          <Button variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
    )
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} />} onClick={open} flex="none">
        {set > 0 ? `Filters · ${set}` : 'Filters'}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position={narrow ? 'bottom' : 'left'}
        title="Filters"
        size={narrow ? 'auto' : 360}
      >
        <Stack gap={12} pb={16}>
          {selects}
          {children}
          <Group justify="space-between">
            <Button variant="subtle" color="gray" onClick={onClear} disabled={set === 0}>
              Clear
            </Button>
            <Button onClick={close}>Show results</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  )
}
