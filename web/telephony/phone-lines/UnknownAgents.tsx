import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, Group, Select, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import type { UnknownPhoneLine } from '#contract/telephony/phone-lines'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { connectLine, phoneLinesQuery } from './queries.ts'
import styles from './UnknownAgents.module.css'

const shownAtOnce = 20

/** Agents that telephone systems named and no user is, seen last first. */
export function UnknownAgents({ users }: { users: ListedUser[] }) {
  const { data } = useQuery(phoneLinesQuery)
  const [shown, setShown] = useState(shownAtOnce)
  const unknown = data?.unknown ?? []
  if (unknown.length === 0) return null
  return (
    <div className={styles.section}>
      <Section
        title={t`Unknown phone agents`}
        about={t`Telephone systems named these agents. Connect each to a user: their calls, past ones too, become calls of that user.`}
      >
        <ul className={styles.agents} aria-label={t`Unknown phone agents`}>
          {unknown.slice(0, shown).map((agent) => (
            <UnknownAgent key={agent.line} agent={agent} users={users} />
          ))}
        </ul>
        {unknown.length > shown && (
          <Button variant="default" mt={8} onClick={() => setShown(shown + shownAtOnce)}>
            {t`Show more (${{ count: unknown.length - shown }})`}
          </Button>
        )}
      </Section>
    </div>
  )
}

function UnknownAgent({
  agent: { line, written, seen_at, calls },
  users,
}: {
  agent: UnknownPhoneLine
  users: ListedUser[]
}) {
  const [userId, setUserId] = useState<string | null>(null)
  const connect = useMutation({
    mutationFn: (user_id: string) => connectLine(line, user_id),
    onSuccess: ({ calls, user_id }) => {
      const name = users.find(({ id }) => id === user_id)!.name
      notify(t`${written} is connected to ${name}, with ${plural(calls, { one: '# call', other: '# calls' })}`)
    },
    onError: notifyProblem,
  })
  return (
    <li>
      <div className={styles.agent}>
        <Text fw={500} className={styles.written}>
          {written}
        </Text>
        <Text size="xs" c="dimmed">
          <Trans>
            Seen <Timestamp at={seen_at} short /> · <Plural value={calls} one="# call" other="# calls" /> in 30 days
          </Trans>
        </Text>
      </div>
      <Group gap={8} wrap="nowrap">
        <Select
          aria-label={t`Connect ${written} to`}
          placeholder={t`Connect to`}
          data={users.map(({ id, name, email, active }) => ({
            value: id,
            label: active ? `${name} · ${email}` : t`${name} (deactivated)`,
          }))}
          value={userId}
          onChange={setUserId}
          searchable
          nothingFoundMessage={t`No matches`}
        />
        <Button
          variant="default"
          disabled={!userId}
          loading={connect.isPending}
          onClick={() => userId && connect.mutate(userId)}
        >
          <Trans>Connect</Trans>
        </Button>
      </Group>
    </li>
  )
}
