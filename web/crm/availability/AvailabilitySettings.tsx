import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AvailabilityChange, maxAbsences, type UserAvailability } from '#contract/crm/availability'
import { useMe } from '../../access/account/me.ts'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { WorkTimes } from '../../platform/ui/WorkTimes.tsx'
import styles from './Availability.module.css'
import { AvailabilityBadge } from './AvailabilityBadge.tsx'
import { absenceInWords, hoursInWords } from './availability-words.ts'
import { LeaveDialog } from './LeaveDialog.tsx'
import { availabilityChanges, availabilityOf } from './queries.ts'

/** The state, leave and working hours of a user. */
export function AvailabilitySettings({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(availabilityOf(userId))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  return data ? <Settings availability={data} /> : <Skeleton height={220} />
}

function Settings({ availability }: { availability: UserAvailability }) {
  const { user_id, absences, state } = availability
  const { account } = useMe()
  const { add, take, saveHours } = availabilityChanges(user_id)
  const [adding, setAdding] = useState(false)
  const noteOpener = useReturnFocus(adding)
  const save = useMutation({
    mutationFn: async (hours: AvailabilityChange['working_hours']) => {
      const undo = await saveHours(hours)
      notify(t`Working hours saved`, undo)
    },
  })
  const ofAccount = { work_days: account.work_days, work_from: account.work_from, work_until: account.work_until }
  const own = save.isPending ? save.variables : availability.working_hours
  const notNow = () =>
    add({})
      .then((undo) => notify(t`No new leads until the end of today`, undo))
      .catch(notifyProblem)
  const removeAbsence = (absence: UserAvailability['absences'][number]) =>
    take(absence.id)
      .then(() => notify(t`Deleted leave: ${{ days: absenceInWords(absence) }}`, () => add(daysOf(absence))))
      .catch(notifyProblem)

  return (
    <Stack gap={16}>
      <AvailabilityBadge availability={availability} />
      {absences.length > 0 && (
        <ul className={styles.absences} aria-label={t`Leave`}>
          {absences.map((absence) => (
            <li key={absence.id}>
              <span>{absenceInWords(absence)}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={32}
                aria-label={t`Delete leave: ${{ days: absenceInWords(absence) }}`}
                onClick={() => void removeAbsence(absence)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <Group gap={8}>
        {state !== 'away' && (
          <Button variant="default" onClick={() => void notNow()}>
            <Trans>Pause new leads today</Trans>
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={absences.length >= maxAbsences}
          onClick={() => {
            noteOpener()
            setAdding(true)
          }}
        >
          <Trans>Add leave</Trans>
        </Button>
      </Group>
      <Switch
        label={t`Own working hours`}
        description={t`Used instead of the working hours of the account.`}
        checked={own !== null}
        onChange={({ currentTarget }) => save.mutate(currentTarget.checked ? ofAccount : null)}
      />
      {own && <WorkTimes times={own} onSave={(change) => save.mutate({ ...own, ...change })} />}
      {!own && <Text c="dimmed">{hoursInWords(ofAccount)}</Text>}
      <Problem error={save.error} />
      <LeaveDialog userId={user_id} opened={adding} onClose={() => setAdding(false)} />
    </Stack>
  )
}

/** An undone deletion of present leave continues from now. */
const daysOf = ({ from, until, is_present }: UserAvailability['absences'][number]) =>
  is_present ? { until } : { from, until }
