import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { AvailabilitySettings } from '../availability/AvailabilitySettings.tsx'
import { useMe } from '../me.ts'
import { Notifications } from '../notifications/Notifications.tsx'
import { OwnPhoneLines } from '../phone-lines/OwnPhoneLines.tsx'
import { QuickReplies } from '../quick-replies/QuickReplies.tsx'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { OwnEmail } from './OwnEmail.tsx'
import { OwnLanguage } from './OwnLanguage.tsx'
import { OwnName } from './OwnName.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { Sessions } from './Sessions.tsx'
import { TwoFactor } from './TwoFactor.tsx'

export function ProfilePage() {
  const { has_password } = useMe()
  return (
    <Page title={t`Your profile`}>
      <Stack gap={40} maw={640}>
        <Notifications />
        <OwnName />
        <OwnLanguage />
        <OwnEmail />
        <OwnPhoneLines />
        <OwnAvailability />
        <QuickReplies of="own" />
        {has_password ? (
          <>
            <OwnPassword />
            <TwoFactor />
          </>
        ) : (
          <Section
            title={t`Password`}
            about={t`You sign in by single sign-on and have no password. An Admin can create a password link for you under Team.`}
          />
        )}
        <Sessions />
      </Stack>
    </Page>
  )
}

function OwnAvailability() {
  const { id } = useMe()
  return (
    <Section
      title={t`Availability`}
      about={t`Lead distribution assigns new leads to users who are available. Your Manager and Admins see this.`}
    >
      <AvailabilitySettings userId={id} />
    </Section>
  )
}
