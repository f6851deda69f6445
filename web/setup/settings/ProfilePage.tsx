import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { useMe } from '../../access/account/me.ts'
import { OwnEmail } from '../../access/profile/OwnEmail.tsx'
import { OwnLanguage } from '../../access/profile/OwnLanguage.tsx'
import { OwnName } from '../../access/profile/OwnName.tsx'
import { OwnPassword } from '../../access/profile/OwnPassword.tsx'
import { Sessions } from '../../access/profile/Sessions.tsx'
import { TwoFactor } from '../../access/profile/TwoFactor.tsx'
import { AvailabilitySettings } from '../../crm/availability/AvailabilitySettings.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { Notifications } from '../../selling/notifications/Notifications.tsx'
import { OwnPhoneLines } from '../../telephony/phone-lines/OwnPhoneLines.tsx'
import { QuickReplies } from '../../telephony/quick-replies/QuickReplies.tsx'

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
