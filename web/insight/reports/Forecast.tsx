import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UserReport } from '#contract/insight/reports'
import { useIsAdmin } from '../../access/account/me.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { formatNumber, formatPercent, formatShortMoney } from '../../platform/ui/numbers.ts'
import { Panel } from '../../platform/ui/Panel.tsx'
import { monthName } from '../overview/month-name.ts'
import styles from './Forecast.module.css'

/** What the open leads are probably worth, by status and by when they are expected to be won. */
export function Forecast({ report: { forecast } }: { report: Pick<UserReport, 'forecast'> }) {
  const isAdmin = useIsAdmin()
  const { by_status, by_month } = forecast
  if (by_month.length === 0) return null
  return (
    <Panel title={t`Forecast of open leads`}>
      <ForecastTable
        label={t`Forecast by status`}
        nameLabel={t`Status and probability`}
        rows={by_status.map(({ status, probability, ...row }) => ({
          key: status,
          name: (
            <>
              <StatusBadge status={status} />{' '}
              <Text span c="dimmed" size="sm">
                {formatPercent(probability / 100)}
              </Text>
            </>
          ),
          ...row,
        }))}
      />
      <ForecastTable
        label={t`Forecast by month`}
        nameLabel={t`Expected closing`}
        rows={by_month.map(({ month, ...row }) => ({ key: String(month), name: nameOf(month), ...row }))}
      />
      {isAdmin && (
        <Text size="sm" mt={8}>
          <Anchor component={Link} to="/settings/account" inherit>
            <Trans>Change the probabilities</Trans>
          </Anchor>
        </Text>
      )}
    </Panel>
  )
}

interface Row {
  key: string
  name: ReactNode
  leads: number
  value: number
  weighted: number
}

const ForecastTable = ({ label, nameLabel, rows }: { label: string; nameLabel: string; rows: Row[] }) => (
  <Table aria-label={label} className={styles.table!}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{nameLabel}</Table.Th>
        <Table.Th>{t`Leads with a value`}</Table.Th>
        <Table.Th>{t`Value`}</Table.Th>
        <Table.Th>{t`Expected`}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ key, name, leads, value, weighted }) => (
        <Table.Tr key={key}>
          <Table.Th scope="row" fw={400}>
            {name}
          </Table.Th>
          <Table.Td>{formatNumber(leads)}</Table.Td>
          <Table.Td>{formatShortMoney(value)}</Table.Td>
          <Table.Td>{formatShortMoney(weighted)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

function nameOf(month: string | null): string {
  if (month === null) return t`Without a date`
  return month === 'overdue' ? t`Before today` : monthName(month)
}
