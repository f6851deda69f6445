import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OriginCost, OriginReport } from '#contract/insight/reports'
import { noAmount, parseAmount } from '../../crm/leads/deal-value.ts'
import { put } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { dateLocale } from '../../platform/ui/time.ts'
import { reportKeys } from './queries.ts'

interface Props {
  name: string
  report: OriginReport
  onClose(): void
}

/** The cost of a source, campaign, ad, form or product in a month of the report. */
export function CostForm({ name, report, onClose }: Props) {
  const months = monthsOf(report)
  const [month, setMonth] = useState(months[0]!)
  const heldIn = (month: string) =>
    report.costs?.find((cost) => cost.name === name && cost.month === month)?.cost.toString() ?? ''
  const [typed, setTyped] = useState(() => heldIn(month))
  const save = useMutation({
    mutationFn: async () => {
      await put('/web/reports/costs', {
        kind: report.group_by,
        name,
        month,
        cost: parseAmount(typed),
      } satisfies OriginCost)
      notify(t`Cost saved`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: reportKeys.all })
    },
  })
  const problem = noAmount(typed)
  return (
    <Modal opened onClose={onClose} title={t`Cost of ${name}`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!problem) save.mutate()
        }}
      >
        <Stack gap={16}>
          <Select
            label={t`Month`}
            data={months.map((value) => ({ value, label: monthName(value) }))}
            value={month}
            allowDeselect={false}
            onChange={(chosen) => {
              setMonth(chosen!)
              setTyped(heldIn(chosen!))
            }}
          />
          <TextInput
            label={t`Cost of the month`}
            description={t`A report of part of the month counts the cost of its days. Leave empty to remove the cost.`}
            leftSection="₹"
            inputMode="decimal"
            value={typed}
            error={problem}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
          <Problem error={save.error} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={save.isPending}>
              <Trans>Save cost</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The months of the report as 2026-11, the newest first. */
function monthsOf({ from_date, to_date }: OriginReport): string[] {
  const months: string[] = []
  let [year, month] = to_date.split('-').map(Number) as [number, number]
  for (let name = to_date.slice(0, 7); name >= from_date.slice(0, 7); ) {
    months.push(name)
    ;[year, month] = month === 1 ? [year - 1, 12] : [year, month - 1]
    name = `${year}-${String(month).padStart(2, '0')}`
  }
  return months
}

const monthWords = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string) => monthWords.format(new Date(`${month}-01T00:00Z`))
