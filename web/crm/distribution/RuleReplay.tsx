import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Replay } from '#contract/crm/distribution'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import styles from './Distribution.module.css'

interface Props {
  replay: { data: Replay | undefined; error: Error | null; isPending: boolean }
  onTry(): void
}

/** Shows what the last leads would have become with the rule of the form, before it is saved. */
export function RuleReplay({ replay: { data, error, isPending }, onTry }: Props) {
  return (
    <section className={styles.panel} aria-labelledby="try-rule">
      <Title order={3} id="try-rule" mb={4}>
        <Trans>Before you save</Trans>
      </Title>
      <Text c="dimmed" mb={12}>
        <Trans>
          Compare who would have got the last 200 leads, with the rules as they are and with this rule. Nothing changes.
        </Trans>
      </Text>
      <Button variant="default" onClick={onTry} loading={isPending}>
        <Trans>Try with the last leads</Trans>
      </Button>
      <div role="status">
        <Problem error={error} retry={onTry} />
        {data && (
          <div ref={showResult}>
            <Result replay={data} />
          </div>
        )}
      </div>
    </section>
  )
}

/** It is below the button, often out of sight. */
const showResult = (result: HTMLElement | null) => result?.scrollIntoView({ block: 'nearest' })

/** Users with the most leads. */
const maxUsers = 20

function Result({ replay: { leads, not_affected, users, by, offered, moved, examples } }: { replay: Replay }) {
  const others =
    not_affected > 0
      ? ` ${plural(not_affected, { one: '# lead had an owner and is not affected.', other: '# leads had an owner and are not affected.' })}`
      : ''
  if (leads === 0) return <Text mt={12}>{`${t`There are no leads yet to which rules apply.`}${others}`}</Text>
  const rows = [
    { key: 'this', name: t`This rule`, ...by.this_rule },
    { key: 'others', name: t`Other rules`, ...by.other_rules },
    { key: 'fallback', name: t`Fallback owner`, ...by.fallback_owner },
    { key: 'none', name: t`No rule`, ...by.no_rule },
  ]
  const claimed = offered.before + offered.after > 0 ? [{ key: 'offered', name: t`First to claim`, ...offered }] : []
  const shown = users.slice(0, maxUsers)
  return (
    <>
      <Text mt={12}>
        <b>
          {moved === 0
            ? plural(leads, {
                one: 'All # lead would stay where they are.',
                other: 'All # leads would stay where they are.',
              })
            : plural(leads, {
                one: `${moved} of # lead would go elsewhere.`,
                other: `${moved} of # leads would go elsewhere.`,
              })}
        </b>
        {others}
      </Text>
      <Figures name={t`Assigned by`} rows={rows.filter(({ before, after }) => before + after > 0)} />
      <Figures name={t`Owner`} rows={[...claimed, ...shown.map((one) => ({ ...one, key: one.user_id }))]} />
      {users.length > maxUsers && (
        <Text c="dimmed">{t`${{ more: users.length - maxUsers }} more users get leads.`}</Text>
      )}
      {examples.length > 0 && (
        <>
          <Text mt={12} fw={600}>
            {moved > examples.length
              ? t`The newest ${{ count: examples.length }} that would go elsewhere`
              : t`Leads that would go elsewhere`}
          </Text>
          <ul className={styles.examples}>
            {examples.map((one) => (
              <li key={one.lead_id}>
                <Anchor
                  inherit
                  target="_blank"
                  renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: one.lead_id }} />}
                >
                  {one.name}
                </Anchor>
                <span className={styles.small}>
                  {`${one.before ?? t`No rule`} → ${one.after ?? t`No rule`} · `}
                  <Timestamp at={one.at} short />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface FiguresProps {
  name: string
  rows: { key: string; name: string; before: number; after: number }[]
}

function Figures({ name, rows }: FiguresProps) {
  return (
    <Table mt={8} className={styles.figures}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{name}</Table.Th>
          <Table.Th>{t`Now`}</Table.Th>
          <Table.Th>{t`With this rule`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, name, before, after }) => (
          <Table.Tr key={key}>
            <Table.Td>{name}</Table.Td>
            <Table.Td>{before}</Table.Td>
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
