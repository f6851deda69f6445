import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import type { ListedDelivery } from '#contract/intake/webhooks'
import { formatDateTime } from '../../../platform/ui/time.ts'
import { outcomeWord } from '../OutcomeBadge.tsx'

interface Props {
  deliveries: ListedDelivery[]
  chosen: string
  onChoose(id: string): void
}

/** Selects the delivery that the mapping is shown with. */
export function DeliveryChoice({ deliveries, chosen, onChoose }: Props) {
  const options = deliveries.map(({ id, received_at, outcome, name }) => ({
    value: id,
    label: `${formatDateTime(received_at)} · ${outcomeWord(outcome)}${name ? ` · ${name}` : ''}`,
  }))
  const known = options.some(({ value }) => value === chosen)
  return (
    <Select
      label={t`Sample delivery`}
      data={known ? options : [{ value: chosen, label: t`An older delivery` }, ...options]}
      value={chosen}
      onChange={(id) => id && onChoose(id)}
      allowDeselect={false}
      searchable={options.length > 8}
      maxDropdownHeight={320}
      w="100%"
      maw={420}
    />
  )
}
