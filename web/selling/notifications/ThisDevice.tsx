import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconBellOff, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { problemText, testTexts } from './device-texts.ts'
import { testPush } from './push.ts'
import { refreshDevice } from './queries.ts'
import { usePush } from './use-push.ts'

/** Switches notifications of this device on and off, and sends a test to it. */
export function ThisDevice() {
  const { settings, device, turn } = usePush()
  const test = useMutation({ mutationFn: testPush, onSuccess: refreshDevice, onError: notifyProblem })
  const isProblem = device !== undefined && device !== 'on' && device !== 'off'
  const isSilenced = device === 'on' && settings?.by_push === false
  return (
    <Stack gap={12} align="start">
      {isProblem ? (
        <Group gap={12} wrap="nowrap" align="start">
          <IconBellOff size={20} aria-hidden style={{ flex: 'none' }} />
          <div>
            <Text fw={500}>
              <Trans>Notifications on this device are off</Trans>
            </Text>
            <Text c="dimmed">{problemText(device)}</Text>
          </div>
        </Group>
      ) : (
        <Switch
          label={t`Notifications on this device`}
          description={descriptionOf(device, isSilenced)}
          checked={device === 'on' && !isSilenced}
          disabled={device === undefined || turn.isPending}
          onChange={({ currentTarget }) => {
            test.reset()
            turn.mutate(currentTarget.checked)
          }}
        />
      )}
      {device === 'on' && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          <Trans>Send a test notification</Trans>
        </Button>
      )}
      <div role="status">
        {test.data && (
          <Group gap={8} wrap="nowrap" align="start">
            {test.data === 'delivered' ? (
              <IconCircleCheck size={18} color="var(--green)" aria-hidden style={{ flex: 'none' }} />
            ) : (
              <IconAlertTriangle size={18} color="var(--amber)" aria-hidden style={{ flex: 'none' }} />
            )}
            <Text>{testTexts[test.data]}</Text>
          </Group>
        )}
      </div>
    </Stack>
  )
}

function descriptionOf(device: 'on' | 'off' | undefined, isSilenced: boolean): string {
  if (device === undefined) return t`Checking this device…`
  if (isSilenced) return t`Off. Messages to all your devices are turned off below.`
  return device === 'on'
    ? t`On. You know about a new lead within seconds, also when this page is closed.`
    : t`Off. Turn it on to know about a new lead within seconds, also when this page is closed.`
}
