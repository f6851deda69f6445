import { t } from '@lingui/core/macro'
import { formatPercent } from '../../platform/ui/numbers.ts'

interface Row {
  figures: { leads: number; converted: number }
  before: { leads: number; converted: number }
}

/** The column of how many of the new leads are won. */
export const conversion = () => ({
  key: 'conversion',
  label: t`Conversion`,
  title: t`Share of the new leads that are won now`,
  value: ({ figures }: Row) => share(figures),
  before: ({ before }: Row) => share(before),
  format: formatPercent,
})

const share = ({ leads, converted }: Row['figures']) => (leads > 0 ? converted / leads : null)
