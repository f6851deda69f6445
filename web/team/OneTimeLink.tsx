import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconMailCheck } from '@tabler/icons-react'
import type { PasswordLink } from '#contract/sign-in'
import { Badge } from '../ui/Badge.tsx'
import { CopyableText } from '../ui/CopyButton.tsx'
import { formatDateTime } from '../ui/time.ts'
import { firstNameOf } from './person.ts'

interface Props {
  made: PasswordLink
  person: { name: string; email: string }
  onDone(): void
}

/** The button that made the link is gone, and the focus with it. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

/** The link that was made: sent by mail, or to be passed on by whoever made it. */
export function OneTimeLink({ made, person: { name, email }, onDone }: Props) {
  const until = `${formatDateTime(made.expires_at)} IST`
  return (
    <Stack gap={16}>
      {made.mailed ? (
        <>
          <Badge colour="green" icon={IconMailCheck}>
            {`Sent to ${email}`}
          </Badge>
          <Text>{`The link in it lets ${firstNameOf(name)} choose a password. It works once, until ${until}.`}</Text>
          <Text c="dimmed">If the mail does not arrive, pass the same link on yourself:</Text>
          <CopyableText value={made.link} label="Link" />
        </>
      ) : (
        <>
          {made.mail_error && (
            <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
              {`The mail to ${email} could not be sent: ${made.mail_error}`}
            </Alert>
          )}
          <Text>
            {`Send this link to ${firstNameOf(name)}. It lets them choose a password, works once, and is valid until ${until}.`}
          </Text>
          <CopyableText value={made.link} label="Link" />
        </>
      )}
      <Text c="dimmed">It is shown this once. A new one can be made at any time; this one then stops working.</Text>
      <Group justify="flex-end">
        <Button ref={takeFocus} onClick={onDone} variant="default">
          Done
        </Button>
      </Group>
    </Stack>
  )
}
