import { Button, Group, Select, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UnknownPhoneLine } from '#contract/phone-lines'
import type { ListedUser } from '#contract/team'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { formatCount } from '../ui/numbers.ts'
import { Section } from '../ui/Section.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
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
        title="Unknown phone agents"
        about="Telephone systems named these agents. Connect each to a user: their calls, past ones too, become calls of that user. This cannot be undone."
      >
        <ul className={styles.agents} aria-label="Unknown phone agents">
          {unknown.slice(0, shown).map((agent) => (
            <UnknownAgent key={agent.line} agent={agent} users={users} />
          ))}
        </ul>
        {unknown.length > shown && (
          <Button variant="default" mt={8} onClick={() => setShown(shown + shownAtOnce)}>
            Show more ({unknown.length - shown})
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
      const name = users.find(({ id }) => id === user_id)?.name
      notify(`${written} is connected to ${name}, with ${formatCount(calls, 'call')}`)
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
          Seen <Timestamp at={seen_at} short /> · {formatCount(calls, 'call')} in 30 days
        </Text>
      </div>
      <Group gap={8} wrap="nowrap">
        <Select
          aria-label={`Connect ${written} to`}
          placeholder="Connect to"
          data={users.map(({ id, name, email, active }) => ({
            value: id,
            label: active ? `${name} · ${email}` : `${name} (deactivated)`,
          }))}
          value={userId}
          onChange={setUserId}
          searchable
          nothingFoundMessage="No matches"
        />
        <Button
          variant="default"
          disabled={!userId}
          loading={connect.isPending}
          onClick={() => userId && connect.mutate(userId)}
        >
          Connect
        </Button>
      </Group>
    </li>
  )
}
