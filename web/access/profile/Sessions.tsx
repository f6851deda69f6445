import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { describeDevice } from './device.ts'
import { sessionsQuery } from './queries.ts'
import styles from './Sessions.module.css'

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const list = useRef<HTMLUListElement>(null)
  const end = useMutation({
    mutationFn: (token: string | null) =>
      token ? post('/auth/revoke-session', { token }) : post('/auth/revoke-other-sessions'),
    onSuccess: async (_answer, token) => {
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      // The button that had the focus is gone.
      list.current?.focus()
      notify(token ? t`Session ended` : t`Your other sessions have ended`)
    },
    onError: notifyProblem,
  })
  return (
    <Section
      title={t`Sessions`}
      about={t`Devices where you are signed in. If you do not recognise one, end its session and change your password.`}
    >
      <Problem error={error} retry={refetch} />
      {!sessions && !error && <Skeleton height={64} />}
      <ul ref={list} tabIndex={-1} className={styles.sessions} aria-label={t`Sessions`}>
        {sessions?.map(({ id, token, isThis, updatedAt, ipAddress, userAgent }) => {
          const { name, isPhone } = describeDevice(userAgent)
          const Icon = isPhone ? IconDeviceMobile : IconDeviceDesktop
          return (
            <li key={id}>
              <Icon size={20} aria-hidden />
              <div className={styles.words}>
                <Group gap={8}>
                  {name}
                  {isThis && (
                    <Badge variant="default" size="sm" tt="none" fw={500}>
                      <Trans>This device</Trans>
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
                  aria-label={t`End the session of ${{ device: name }}`}
                  loading={end.isPending && end.variables === token}
                  onClick={() => end.mutate(token)}
                >
                  <Trans>End</Trans>
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
          <Trans>End all others</Trans>
        </Button>
      )}
    </Section>
  )
}
