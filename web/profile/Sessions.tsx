import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { get, post } from '../api.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Section } from '../ui/Section.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import { deviceOf } from './device.ts'
import styles from './Sessions.module.css'

interface Session {
  id: string
  token: string
  createdAt: string
  updatedAt: string
  ipAddress: string | null
  userAgent: string | null
}

const sessionsQuery = {
  queryKey: ['sessions'],
  queryFn: async () => {
    const [sessions, own] = await Promise.all([
      get<Session[]>('/auth/list-sessions'),
      get<{ session: Session } | null>('/auth/get-session'),
    ])
    const isThis = ({ id }: Session) => id === own?.session.id
    return sessions
      .map((session) => ({ ...session, isThis: isThis(session) }))
      .sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.updatedAt.localeCompare(a.updatedAt))
  },
}

export function Sessions() {
  const client = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const list = useRef<HTMLUListElement>(null)
  const end = useMutation({
    mutationFn: (token: string | null) =>
      token ? post('/auth/revoke-session', { token }) : post('/auth/revoke-other-sessions'),
    onSuccess: async (_answer, token) => {
      await client.invalidateQueries({ queryKey: ['sessions'] })
      // The button that ended it is gone.
      list.current?.focus()
      notify(token ? 'Session ended' : 'Your other sessions have ended')
    },
    onError: notifyProblem,
  })
  return (
    <Section title="Sessions" about="Where you are signed in. End what you do not know, then change your password.">
      <Problem error={error} retry={refetch} />
      {!sessions && !error && <Skeleton height={64} />}
      <ul ref={list} tabIndex={-1} className={styles.sessions} aria-label="Sessions">
        {sessions?.map(({ id, token, isThis, updatedAt, ipAddress, userAgent }) => {
          const { name, isPhone } = deviceOf(userAgent)
          const Icon = isPhone ? IconDeviceMobile : IconDeviceDesktop
          return (
            <li key={id}>
              <Icon size={20} aria-hidden />
              <div className={styles.words}>
                <Group gap={8}>
                  {name}
                  {isThis && (
                    <Badge variant="default" size="sm" tt="none" fw={500}>
                      This one
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {ipAddress && `${ipAddress} · `}
                  <Timestamp at={updatedAt} />
                </Text>
              </div>
              {!isThis && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`End the session of ${name}`}
                  loading={end.isPending && end.variables === token}
                  onClick={() => end.mutate(token)}
                >
                  End
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {sessions && sessions.length > 1 && (
        <Button
          variant="default"
          mt={16}
          loading={end.isPending && end.variables === null}
          onClick={() => end.mutate(null)}
        >
          End all others
        </Button>
      )}
    </Section>
  )
}
