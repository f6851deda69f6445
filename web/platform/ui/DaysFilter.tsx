import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Group, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { allTime, calendarPeriods, type Days } from '#contract/platform/periods'
import { Modal } from './Dialog.tsx'
import { describeDays, noDays } from './days.ts'
import { useNarrow } from './screen-size.ts'
import { istDay } from './time.ts'

const DatePicker = lazy(() => import('./DatePicker.tsx'))

const presets = [1, 7, 30, 90, 365]

interface Props {
  value: Days
  onChange(value: Days): void
  /** What happened on these days, shown before them: "Created". */
  label?: string
  /** Shown while no days are chosen. */
  placeholder?: string
  /** Offers all days. */
  withAllTime?: boolean
  /** Is in a drawer. */
  folded?: boolean
}

export function DaysFilter({
  value,
  onChange,
  label,
  placeholder = t`last 30 days`,
  withAllTime = true,
  folded = false,
}: Props) {
  const inDrawer = useNarrow() || folded
  const [opened, { open, close }] = useDisclosure()
  const [range, setRange] = useState<[string | null, string | null]>([null, null])
  const { days, period, from_date, to_date } = value
  const customRange = days || period ? null : describeDays(value)
  const shown = days && days < allTime && !presets.includes(days) ? [...presets, days] : presets
  const choices = new Map([
    ...shown.map((days): [string, string] => [String(days), describeDays({ days })!]),
    ...calendarPeriods.map((period): [string, string] => [period, describeDays({ period })!]),
    ...(withAllTime ? [[String(allTime), t`all time`] as const] : []),
    ['own', customRange ?? t`custom range…`],
  ])
  const named = (choice: string) => (label ? `${label}: ${choice}` : capitalised(choice))

  return (
    <>
      <Select
        aria-label={label ?? t`Days`}
        placeholder={named(placeholder)}
        data={[...choices].map(([value, choice]) => ({ value, label: named(choice) }))}
        renderOption={({ option }) => capitalised(choices.get(option.value)!)}
        value={customRange ? 'own' : (period ?? (days ? String(days) : null))}
        onChange={(chosen) => {
          if (chosen !== 'own') onChange({ ...noDays, ...readPreset(chosen) })
        }}
        // Also called when the option is selected already.
        onOptionSubmit={(chosen) => {
          if (chosen !== 'own') return
          setRange([from_date ?? null, to_date ?? null])
          open()
        }}
        allowDeselect={false}
        clearable
        clearSectionMode="clear"
        clearButtonProps={{ 'aria-label': t`Clear days` }}
        w={inDrawer ? '100%' : (customRange ? 190 : 150) + (label ? 40 : 0)}
      />
      <Modal opened={opened} onClose={close} title={t`Custom range`} size="auto">
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
              <Trans>Apply</Trans>
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function readPreset(chosen: string | null): Days {
  const period = calendarPeriods.find((period) => period === chosen)
  return period ? { period } : chosen ? { days: Number(chosen) } : {}
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
