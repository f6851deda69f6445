import { Box, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { allTime, type Days, describeDays, noDays } from './days.ts'
import { useNarrow } from './screen-size.ts'
import { istDay } from './time.ts'

const DatePicker = lazy(() => import('@mantine/dates').then((dates) => ({ default: dates.DatePicker })))

const presets = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
]

interface Props {
  value: Days
  onChange(value: Days): void
  /** What happened on these days, shown before them: "Created". */
  label?: string
  /** Shown while no days are chosen. */
  placeholder?: string
  /** Is in a drawer. */
  folded?: boolean
}

export function DaysFilter({ value, onChange, label, placeholder = 'Last 30 days', folded = false }: Props) {
  const inDrawer = useNarrow() || folded
  const [opened, { open, close }] = useDisclosure()
  const [range, setRange] = useState<[string | null, string | null]>([null, null])
  const { days, from_date, to_date } = value
  const isNoPreset = days && days < allTime && !presets.some(({ value }) => value === String(days))
  const customRange = days ? null : describeDays(value)
  const labelWidth = label ? 64 : 0

  return (
    <>
      <Select
        aria-label={label ?? 'Days'}
        placeholder={placeholder}
        {...(label && {
          leftSection: (
            <Text size="sm" c="dimmed">
              {label}
            </Text>
          ),
          leftSectionWidth: labelWidth + 12,
          leftSectionPointerEvents: 'none',
        })}
        data={[
          ...presets,
          ...(isNoPreset ? [{ value: String(days), label: `Last ${days} days` }] : []),
          { value: String(allTime), label: 'All time' },
          { value: 'own', label: customRange ?? 'Custom range…' },
        ]}
        value={customRange ? 'own' : days ? String(days) : null}
        onChange={(chosen) => {
          if (chosen !== 'own') onChange({ ...noDays, ...(chosen ? { days: Number(chosen) } : {}) })
        }}
        // Also called when the option is selected already.
        onOptionSubmit={(chosen) => {
          if (chosen !== 'own') return
          setRange([from_date ?? null, to_date ?? null])
          open()
        }}
        allowDeselect={false}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear days' }}
        w={inDrawer ? '100%' : (customRange ? 190 : 130) + labelWidth}
      />
      <Modal opened={opened} onClose={close} title="Custom range" size="auto">
        <Stack>
          <Suspense fallback={<Box w={252} h={286} />}>
            <DatePicker
              type="range"
              allowSingleDateInRange
              value={range}
              onChange={(chosen) => setRange(chosen as typeof range)}
              maxDate={istDay()}
            />
          </Suspense>
          <Group justify="flex-end">
            <Button
              disabled={!range[0]}
              onClick={() => {
                close()
                onChange({ ...noDays, from_date: range[0] ?? undefined, to_date: range[1] ?? range[0] ?? undefined })
              }}
            >
              Apply
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
