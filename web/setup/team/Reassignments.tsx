import { plural, t } from '@lingui/core/macro'
import { Alert, Progress, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ListedUser } from '#contract/access/account'
import { evenShares } from '#contract/setup/team'
import { notify } from '../../platform/ui/notify.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { useUsersChanged } from './queries.ts'
import { sharesInWords } from './shares-in-words.ts'
import { nameOf } from './user.ts'

/** How far the leads of deactivated users are reassigned, and why that stopped. */
export function Reassignments({ users }: { users: ListedUser[] }) {
  const running = users.filter(({ reassignment }) => reassignment?.state === 'running')
  const stopped = users.filter(({ active, reassignment }) => !active && reassignment?.state === 'stopped')
  useNewsOfEnd(users)
  if (running.length + stopped.length === 0) return null
  return (
    <Stack gap={8} mb={16}>
      {running.map(({ id, name, reassignment }) => (
        <div key={id}>
          <Text id={`reassigning-${id}`}>
            {t`Reassigning leads of ${name}: ${{ moved: formatNumber(reassignment!.moved) }} of ${{ total: formatNumber(reassignment!.total) }}`}
          </Text>
          <Progress.Root mt={4}>
            <Progress.Section
              value={(100 * reassignment!.moved) / Math.max(1, reassignment!.total)}
              aria-labelledby={`reassigning-${id}`}
            />
          </Progress.Root>
        </div>
      ))}
      {stopped.map(({ id, name, reassignment }) => (
        <Alert
          key={id}
          variant="default"
          icon={<IconAlertCircle color="var(--red)" />}
          title={t`Reassigning leads of ${name} stopped`}
        >
          {reassignment!.error}{' '}
          {t`${{ moved: formatNumber(reassignment!.moved) }} of ${{ total: formatNumber(reassignment!.total) }} leads were reassigned. To reassign the others, choose “Reassign leads” in the menu of ${name}.`}
        </Alert>
      ))}
    </Stack>
  )
}

/** Says the final count, once, of what was running when this page last looked. */
function useNewsOfEnd(users: ListedUser[]) {
  const changed = useUsersChanged()
  const running = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, name, reassignment } of users) {
      if (reassignment?.state === 'running') running.current.add(id)
      else if (running.current.delete(id) && reassignment?.state === 'done') {
        const { moved, to_users } = reassignment
        const to = sharesInWords(evenShares(to_users, moved), nameOf(users))
        notify(
          to
            ? t`${plural(moved, { one: '# lead', other: '# leads' })} of ${name} reassigned to ${to}.`
            : t`${plural(moved, { one: '# lead', other: '# leads' })} of ${name} are unassigned now.`,
        )
        void changed()
      }
    }
  }, [users, changed])
}
