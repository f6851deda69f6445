import { plural, t } from '@lingui/core/macro'
import { Checkbox, Group, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { NotificationChange, NotificationSettings } from '#contract/selling/notifications'
import { useMe } from '../../access/account/me.ts'
import { type Data, patch } from '../../platform/api/api.ts'
import { sendChange } from '../../platform/api/query.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { TimeField } from '../../platform/ui/TimeField.tsx'
import { notificationsQuery } from './queries.ts'
import { ThisDevice } from './ThisDevice.tsx'

/** What the user is notified of, and how. */
export function Notifications() {
  const { data: settings, error, refetch } = useQuery(notificationsQuery)
  return (
    <Section
      title={t`Notifications`}
      about={t`When a lead is assigned to you, when you miss its call, and when you have not called it in time.`}
    >
      {settings ? (
        <Settings settings={settings} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={180} />
      )}
    </Section>
  )
}

/** In the evening and the night, until the user chooses other hours. */
const usualQuiet = { quiet_from: 20 * 60, quiet_until: 8 * 60 }

function Settings({ settings }: { settings: NotificationSettings }) {
  const isAgent = useMe().role === 'Agent'
  const change = useMutation({
    mutationFn: (changes: NotificationChange) =>
      sendChange(notificationsQuery, () => patch<Data<NotificationSettings>>('/web/notifications', changes)),
    onSuccess: () => notify(t`Notifications saved`),
    onError: notifyProblem,
  })
  const shown = change.isPending ? { ...settings, ...change.variables } : settings
  const { by_push, by_mail, can_mail, digest, weekly_email, quiet_from, quiet_until } = shown
  const quiet = quiet_from !== null && quiet_until !== null
  return (
    <Stack gap={16}>
      <ThisDevice />
      <Checkbox
        label={t`On all your devices`}
        description={t`${plural({ count: settings.browsers }, { 0: 'Not turned on in any browser yet.', one: 'Turned on in # browser.', other: 'Turned on in # browsers.' })} Messages contain the lead's name only.`}
        checked={by_push}
        onChange={({ currentTarget }) => change.mutate({ by_push: currentTarget.checked })}
      />
      <Checkbox
        label={t`By email`}
        description={can_mail ? undefined : t`This installation has no mail server.`}
        disabled={!can_mail}
        checked={by_mail && can_mail}
        onChange={({ currentTarget }) => change.mutate({ by_mail: currentTarget.checked })}
      />
      {!isAgent && (
        <>
          <Checkbox
            label={t`Daily email about your team`}
            description={t`When the working day starts: leads of the day before, calls by user, and missed calls.`}
            disabled={!can_mail}
            checked={digest && can_mail}
            onChange={({ currentTarget }) => change.mutate({ digest: currentTarget.checked })}
          />
          <Checkbox
            label={t`Weekly email about your team`}
            description={t`When the first working day of the week starts: last week's figures by user and source, compared with the week before.`}
            disabled={!can_mail}
            checked={weekly_email && can_mail}
            onChange={({ currentTarget }) => change.mutate({ weekly_email: currentTarget.checked })}
          />
        </>
      )}
      <Checkbox
        label={t`Quiet hours`}
        description={t`Messages are sent when the quiet hours end.`}
        checked={quiet}
        onChange={({ currentTarget }) =>
          change.mutate(currentTarget.checked ? usualQuiet : { quiet_from: null, quiet_until: null })
        }
      />
      {quiet && (
        <Group gap={8} pl={28}>
          <TimeField
            label={t`Quiet from`}
            value={quiet_from}
            onSave={(minutes) => change.mutate({ quiet_from: minutes })}
          />
          <TimeField
            label={t`Quiet until`}
            value={quiet_until}
            onSave={(minutes) => change.mutate({ quiet_until: minutes })}
          />
        </Group>
      )}
    </Stack>
  )
}
