import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { UserReport } from '#contract/insight/reports'
import { StatusBadge, statusColours } from '../../crm/leads/LeadBadges.tsx'
import { formatNumber, formatPercent } from '../../platform/ui/numbers.ts'
import { Panel } from '../../platform/ui/Panel.tsx'
import { Bars } from '../overview/Bars.tsx'
import { reachedBy } from './reached-by.ts'

interface Props {
  report: Pick<UserReport, 'funnel'>
}

/** How far the new leads came, and in which status they were lost. */
export function Funnel({ report: { funnel } }: Props) {
  const { stages, total, unknown } = reachedBy(funnel)
  if (total === 0) return null
  const textOf = ({ reached, lost }: (typeof stages)[number]) => {
    const share = t`${{ count: formatNumber(reached) }} · ${{ share: formatPercent(reached / total) }}`
    return lost === 0 ? share : t`${share} · ${{ lost: formatNumber(lost) }} lost here`
  }
  return (
    <Panel title={t`How far the new leads came`}>
      <Bars
        label={t`How far the new leads came`}
        empty={t`No leads in this period.`}
        bars={stages.map((stage) => ({
          key: stage.status,
          name: <StatusBadge status={stage.status} />,
          amount: stage.reached,
          text: textOf(stage),
          colour: `var(--${statusColours[stage.status]})`,
        }))}
      />
      {unknown > 0 && (
        <Text c="dimmed" size="sm" mt={8}>
          {t`Of ${{ count: formatNumber(unknown) }} lost leads, the last status is not known.`}
        </Text>
      )}
    </Panel>
  )
}
