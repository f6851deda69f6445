import { t } from '@lingui/core/macro'
import { Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { noAmount, parseAmount } from '../../crm/leads/deal-value.ts'
import { queryClient } from '../../platform/api/query.ts'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { monthName } from '../overview/month-name.ts'
import { reportKeys } from './queries.ts'

interface Props {
  title: string
  label: string
  description: string
  action: string
  saved: string
  /** As 2026-11. The first one is chosen. */
  months: string[]
  /** What was entered for a month, in rupees. */
  held(month: string): number | undefined
  save(month: string, amount: number | null): Promise<unknown>
  onClose(): void
}

/** An amount of a month of the report: a cost, or a goal. */
export function MonthAmountForm({ title, label, description, action, saved, months, held, save, onClose }: Props) {
  const [month, setMonth] = useState(months[0]!)
  const [typed, setTyped] = useState(() => held(month)?.toString() ?? '')
  const saving = useMutation({
    mutationFn: async () => {
      await save(month, parseAmount(typed))
      notify(saved)
      onClose()
      await queryClient.invalidateQueries({ queryKey: reportKeys.all })
    },
  })
  const problem = noAmount(typed)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!problem) saving.mutate()
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
              setTyped(held(chosen!)?.toString() ?? '')
            }}
          />
          <TextInput
            label={label}
            description={description}
            leftSection="₹"
            inputMode="decimal"
            value={typed}
            error={problem}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
          <FormActions problem={saving.error} onCancel={onClose} action={action} busy={saving.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
