import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { WarningKind } from '#contract/intake/lead-import'
import { formatNumber } from '../../platform/ui/numbers.ts'
import styles from './LeadImport.module.css'

interface Props {
  groups: { kind: WarningKind; rows: number; examples: { line: number; text: string; lead_id?: string }[] }[]
  onDownload(kind: WarningKind): void
}

const titles: Record<WarningKind, string> = {
  owner: t`Owner not found`,
  status: t`Status not known`,
  priority: t`Priority not known`,
  lost_reason: t`Lost reason not kept`,
  deal_value: t`Not an amount`,
  contact: t`Phone or email not valid`,
  name: t`No name`,
  date: t`Date not read`,
  call: t`Call not logged as it is`,
  cut: t`Text cut`,
  joined: t`Cells joined`,
}

/** Warnings by what they are about, each with its first rows and all of them as a file. */
export function WarningGroups({ groups, onDownload }: Props) {
  if (groups.length === 0) return null
  return (
    <section className={styles.rowList}>
      <Title order={3} mb={4}>
        <Trans>Imported with warnings</Trans>
      </Title>
      {groups.map(({ kind, rows, examples }) => (
        <div key={kind} className={styles.group}>
          <Group justify="space-between" gap={8}>
            <Text fw={500}>
              {titles[kind]} · {plural(rows, { one: '# row', other: '# rows' })}
            </Text>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => onDownload(kind)}
              aria-label={t`Download rows: ${{ kind: titles[kind] }}`}
            >
              <Trans>Download rows</Trans>
            </Button>
          </Group>
          <ul className={styles.rows} aria-label={titles[kind]}>
            {examples.map(({ line, text, lead_id }) => (
              <li key={line}>
                <span className={styles.line}>{t`Line ${{ number: formatNumber(line) }}`}</span>
                <span>{t`${text}.`}</span>
                {lead_id && (
                  <Link to="/leads/$leadId" params={{ leadId: lead_id }} className={styles.open}>
                    <Trans>Open lead</Trans>
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
