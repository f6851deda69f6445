import { t } from '@lingui/core/macro'
import { formatPercent } from '../../platform/ui/numbers.ts'

interface Row {
  figures: { leads: number; converted: number }
}

/** The column of how many of the new leads are won. Those of the period before had more time for it, so they are not compared. */
export const conversion = () => ({
  key: 'conversion',
  label: t`Conversion`,
  title: t`Share of the new leads that are won now`,
  value: ({ figures: { leads, converted } }: Row) => (leads > 0 ? converted / leads : null),
  format: formatPercent,
})
