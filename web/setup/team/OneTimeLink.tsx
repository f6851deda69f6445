import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconMailCheck } from '@tabler/icons-react'
import type { PasswordLink } from '#contract/access/sign-in'
import { Badge } from '../../platform/ui/Badge.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { LocalUrlNotice } from '../../platform/ui/LocalUrlNotice.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import { firstName } from './user.ts'

interface Props {
  made: PasswordLink
  user: { name: string; email: string }
  onDone(): void
}

/** The button that had the focus is gone. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

/** Shows a new one-time link: sent by email, or to be sent by the Admin. */
export function OneTimeLink({ made, user: { name, email }, onDone }: Props) {
  const first = firstName(name)
  const until = formatDateTime(made.expires_at)
  return (
    <Stack gap={16}>
      <LocalUrlNotice url={made.link} />
      {made.mailed ? (
        <>
          <Badge colour="green" icon={IconMailCheck}>
            {t`Sent to ${email}`}
          </Badge>
          <Text>{t`${first} can set a password with the link in the email. It works once, until ${until} IST.`}</Text>
          <Text c="dimmed">{t`If the email does not arrive, send the link yourself:`}</Text>
          <CopyableText value={made.link} label={t`Link`} />
        </>
      ) : (
        <>
          {made.mail_error && (
            <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
              {t`The email to ${email} could not be sent: ${{ reason: made.mail_error }}`}
            </Alert>
          )}
          <Text>
            {t`Send this link to ${first}. With it they can choose a password. It works once, until ${until} IST.`}
          </Text>
          <CopyableText value={made.link} label={t`Link`} />
        </>
      )}
      <Text c="dimmed">
        <Trans>The link is shown only once. You can create a new one at any time; this one then stops working.</Trans>
      </Text>
      <Group justify="flex-end">
        <Button ref={takeFocus} onClick={onDone} variant="default">
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
