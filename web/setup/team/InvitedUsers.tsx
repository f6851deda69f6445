import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertCircle, IconBrandWhatsapp, IconMailCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useMe } from '../../access/account/me.ts'
import { usePhonePlans, whatsappUrl } from '../../crm/contacts/phone.ts'
import { Badge } from '../../platform/ui/Badge.tsx'
import { CopyableText } from '../../platform/ui/CopyButton.tsx'
import { LocalUrlNotice } from '../../platform/ui/LocalUrlNotice.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import styles from './Invite.module.css'
import type { Invited } from './use-invitations.ts'

/** The links of those who were just invited, to copy or to send. */
export function InvitedUsers({ invited }: { invited: Invited[] }) {
  const shown = useRef<HTMLDivElement>(null)
  const [first] = invited
  useEffect(() => {
    if (invited.length > 0) shown.current?.focus()
  }, [invited.length])
  if (!first) return null
  const until = formatDateTime(first.link.expires_at)
  return (
    <div ref={shown} tabIndex={-1} className={styles.invited}>
      <Section
        title={plural(invited.length, { one: '# user is invited', other: '# users are invited' })}
        about={t`Send each user their link. It works once, until ${until} IST, and is shown only here. You can make a new link under Team at any time; the former one then stops working.`}
      >
        <LocalUrlNotice url={first.link.link} />
        <ul className={styles.links}>
          {invited.map((user) => (
            <InvitedUser key={user.email} user={user} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

function InvitedUser({ user: { name, email, phone, link, lineProblems } }: { user: Invited }) {
  usePhonePlans()
  const { account } = useMe()
  const text = t`Join ${{ account: account.name }} on Lead Engine with this link. It works once: ${{ link: link.link }}`
  const problems = [
    ...(link.mail_error ? [t`The email to ${email} could not be sent: ${{ reason: link.mail_error }}`] : []),
    ...lineProblems.map((one) => t`Not connected to ${name}: ${{ line: one }}`),
  ]
  // Without a number, WhatsApp asks who is to get it.
  const whatsapp = (phone && whatsappUrl(phone, text)) || `https://wa.me/?text=${encodeURIComponent(text)}`
  return (
    <li className={styles.link}>
      <Group gap="4px 12px">
        <Text fw={500}>{name}</Text>
        <Text c="dimmed">{email}</Text>
        {link.mailed && (
          <Badge colour="green" icon={IconMailCheck}>
            {t`Sent by email`}
          </Badge>
        )}
      </Group>
      <Group gap={8} align="stretch" className={styles.send}>
        <CopyableText value={link.link} label={t`Link of ${name}`} />
        <Button
          component="a"
          href={whatsapp}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
          aria-label={t`Send by WhatsApp to ${name}`}
        >
          <Trans>Send by WhatsApp</Trans>
        </Button>
      </Group>
      {problems.map((problem) => (
        <Alert key={problem} variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12} mt={8}>
          {problem}
        </Alert>
      ))}
    </li>
  )
}
