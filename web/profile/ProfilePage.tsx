import { Stack } from '@mantine/core'
import { AvailabilitySettings } from '../availability/AvailabilitySettings.tsx'
import { useMe } from '../me.ts'
import { Notifications } from '../notifications/Notifications.tsx'
import { OwnPhoneLines } from '../phone-lines/OwnPhoneLines.tsx'
import { QuickReplies } from '../quick-replies/QuickReplies.tsx'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { OwnEmail } from './OwnEmail.tsx'
import { OwnName } from './OwnName.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { Sessions } from './Sessions.tsx'
import { TwoFactor } from './TwoFactor.tsx'

export function ProfilePage() {
  return (
    <Page title="Your profile">
      <Stack gap={40} maw={640}>
        <Notifications />
        <OwnName />
        <OwnEmail />
        <OwnPhoneLines />
        <OwnAvailability />
        <QuickReplies of="own" />
        <OwnPassword />
        <TwoFactor />
        <Sessions />
      </Stack>
    </Page>
  )
}

function OwnAvailability() {
  const { id } = useMe()
  return (
    <Section
      title="Availability"
      about="Lead distribution assigns new leads to users who are available. Your Manager and Admins see this."
    >
      <AvailabilitySettings userId={id} />
    </Section>
  )
}
