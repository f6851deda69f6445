import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Anchor, Box, Group, Badge as MantineBadge, Text, Tooltip } from '@mantine/core'
import {
  IconBan,
  IconCircleX,
  IconDots,
  IconListSearch,
  IconPencil,
  IconRefresh,
  IconUserOff,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ShownKey } from '#contract/access/api-keys'
import { Badge } from '../../platform/ui/Badge.tsx'
import { type Column, DataTable } from '../../platform/ui/DataTable.tsx'
import { Menu } from '../../platform/ui/Menu.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { roleNames } from '../account/role-names.ts'
import { usersQuery } from '../account/users.ts'
import { listPermissions } from './permission-words.ts'

export type KeyAct = 'change' | 'regenerate' | 'revoke'

interface Props {
  label: string
  keys: ShownKey[] | undefined
  onAct?: (act: KeyAct, key: ShownKey) => void
  empty?: ReactNode
}

export function KeyTable({ label, keys, onAct, empty }: Props) {
  const { data: users } = useQuery(usersQuery)
  const roleOf = (key: ShownKey) => users?.find(({ id }) => id === key.user.id)?.role
  const userText = (key: ShownKey) => {
    const role = roleOf(key)
    return role ? `${key.user.name} · ${roleNames[role]}` : key.user.name
  }
  const change = (key: ShownKey) => onAct?.('change', key)

  const columns: Column<ShownKey>[] = [
    { header: t`Name`, cell: (key) => <KeyName of={key} onOpen={onAct && (() => change(key))} /> },
    {
      header: t`Linked user`,
      cell: (key) => (
        <>
          <Text lineClamp={2}>{userText(key)}</Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {key.user.email}
          </Text>
        </>
      ),
      width: 240,
    },
    { header: t`Permissions`, cell: (key) => listPermissions(key.permissions), width: 160 },
    { header: t`IP whitelist`, cell: (key) => <Whitelist ips={key.ip_whitelist} />, width: 180 },
    { header: t`Last use`, cell: (key) => <LastUse of={key} />, width: 170 },
    { header: t`Status`, cell: (key) => <KeyStatus of={key} />, width: 140 },
    ...(onAct
      ? [
          {
            header: t`Actions`,
            align: 'right' as const,
            width: 72,
            cell: (key: ShownKey) => <KeyMenu of={key} onAct={onAct} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label={label}
      manyColumns
      columns={columns}
      rows={keys}
      rowKey={({ id }) => id}
      expected={3}
      empty={empty}
      {...(onAct ? { onOpen: change } : {})}
      narrow={(key) => ({
        first: (
          <>
            <KeyName of={key} onOpen={onAct && (() => change(key))} />
            <Group gap={8} wrap="nowrap" flex="none" align="flex-start">
              <KeyStatus of={key} />
              {onAct && (
                <Box my={-5}>
                  <KeyMenu of={key} onAct={onAct} />
                </Box>
              )}
            </Group>
          </>
        ),
        second: (
          <>
            <div>
              <Text inherit lineClamp={2}>
                {userText(key)}
              </Text>
              {listPermissions(key.permissions)} · <Whitelist ips={key.ip_whitelist} />
            </div>
            <Box flex="none" ta="right" className="nowrap">
              <LastUse of={key} />
            </Box>
          </>
        ),
      })}
    />
  )
}

function KeyName({ of, onOpen }: { of: ShownKey; onOpen: (() => void) | undefined }) {
  return (
    <div>
      {onOpen ? (
        <Anchor
          component="button"
          type="button"
          c="inherit"
          fw={500}
          ta="start"
          lineClamp={2}
          title={of.name}
          onClick={onOpen}
        >
          {of.name}
        </Anchor>
      ) : (
        <Text lineClamp={2} title={of.name}>
          {of.name}
        </Text>
      )}
      <Text c="dimmed" className="code nowrap">
        le_live_…{of.last_four}
      </Text>
    </div>
  )
}

function Whitelist({ ips: [first, ...others] }: { ips: string[] }) {
  if (first === undefined) return t`Any IP`
  if (others.length === 0) return first
  return (
    <Tooltip
      label={[first, ...others].slice(0, 20).join(', ')}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the rest of the list must be reachable by keyboard */}
      <span tabIndex={0}>
        {first} <MantineBadge variant="default">+{others.length}</MantineBadge>
      </span>
    </Tooltip>
  )
}

function LastUse({ of: { last_use } }: { of: ShownKey }) {
  if (!last_use) return t`Never`
  return (
    <>
      <Timestamp at={last_use.at} short />
      <Text size="xs" c="dimmed">
        {last_use.address}
      </Text>
    </>
  )
}

function KeyStatus({ of }: { of: ShownKey }) {
  if (of.revoked_at)
    return (
      <>
        <Badge colour="grey" icon={IconBan}>
          {t`Revoked`}
        </Badge>
        <Text size="xs" c="dimmed">
          <Timestamp at={of.revoked_at} short />
        </Text>
      </>
    )
  if (!of.user.active)
    return (
      <Badge colour="red" icon={IconUserOff}>
        {t`User inactive`}
      </Badge>
    )
  return <Badge colour="green">{t`Active`}</Badge>
}

function KeyMenu({ of, onAct }: { of: ShownKey; onAct: NonNullable<Props['onAct']> }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t`Actions for ${{ name: of.name }}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAct('change', of)}>
          <Trans>Edit</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<IconListSearch size={16} />}
          renderRoot={(props) => <Link to="/settings/requests" search={{ source: of.id }} {...props} />}
        >
          <Trans>Show requests</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onAct('regenerate', of)}>
          <Trans>Regenerate</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconCircleX size={16} />} onClick={() => onAct('revoke', of)}>
          <Trans>Revoke</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
