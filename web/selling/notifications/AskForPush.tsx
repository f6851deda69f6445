import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useNotNow } from '../../crm/availability/use-not-now.ts'
import { type Asked, mayAsk } from './ask-again.ts'
import { problemText } from './device-texts.ts'
import { usePush } from './use-push.ts'

/** Asks a user without notifications on this device to turn them on. */
export function AskForPush() {
  const { settings, device, turn } = usePush()
  const { isAway } = useNotNow()
  const [asked, setAsked] = useLocalStorage<Asked>({
    key: 'push-asked',
    defaultValue: { times: 0, at: 0 },
    getInitialValueInEffect: false,
  })
  // Users who turned off messages to all devices are not asked, nor those who get no leads now.
  if (isAway || !settings?.by_push || !mayAsk(asked, Date.now())) return null
  if (device !== 'off' && device !== 'install' && device !== 'blocked') return null
  const later = () => setAsked({ times: asked.times + 1, at: Date.now() })
  return (
    <Alert
      role="region"
      variant="default"
      icon={<IconBell />}
      title={t`Know about a new lead within seconds, also when this page is closed`}
      p={12}
      my={16}
      maw={720}
    >
      {device !== 'off' && <Text mb={12}>{problemText(device)}</Text>}
      <Group gap={8}>
        {device === 'off' && (
          <Button loading={turn.isPending} onClick={() => turn.mutate(true)}>
            <Trans>Turn on notifications</Trans>
          </Button>
        )}
        <Button variant="default" onClick={later}>
          <Trans>Not now</Trans>
        </Button>
      </Group>
    </Alert>
  )
}
