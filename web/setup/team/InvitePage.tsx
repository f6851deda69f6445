import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { usersQuery } from '../../access/account/users.ts'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { ConfirmLeave } from '../../platform/ui/ConfirmLeave.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import styles from './Invite.module.css'
import { InvitedUsers } from './InvitedUsers.tsx'
import { InviteeRow } from './InviteeRow.tsx'
import { maxInvitees, readInvitees } from './invitees.ts'
import { isEmpty, useInvitations } from './use-invitations.ts'
import { listTeams } from './user.ts'

const route = getRouteApi('/signed-in/admins/settings/team/invite')

/** Invites one user or many, each with a one-time link. */
export function InvitePage() {
  const { from } = route.useSearch()
  const { data: users = [] } = useQuery(usersQuery)
  const teams = listTeams(users)
  const { rows, add, change, remove, invited, problem, isBusy, submit } = useInvitations()
  const [pasted, setPasted] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const read = (text: string) => {
    const found = readInvitees(text, teams)
    if (found.length === 0) return false
    add(found)
    setPasted('')
    // To what was read, which may be corrected.
    requestAnimationFrame(() => list.current?.querySelector('input')?.focus())
    return true
  }
  const filled = rows.filter((row) => !isEmpty(row))
  const isFull = filled.length > maxInvitees
  return (
    <Page
      title={t`Invite users`}
      about={t`Each user joins with a link of their own, which works once. Agents see their own leads, Managers the leads of their team, Admins all leads and the settings.`}
      back={
        <BackLink renderRoot={(props) => <Link to={from === 'start' ? '/start' : '/settings/team'} {...props} />}>
          {from === 'start' ? t`First steps` : t`Team`}
        </BackLink>
      }
      wide
    >
      <InvitedUsers invited={invited} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Textarea
          label={t`Paste a list`}
          description={t`From a sheet, an email or a chat: a user in each line, with name, email and, if you like, phone number, role, team and extension.`}
          maw={720}
          mb={16}
          rows={2}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          onPaste={(event) => {
            if (read(event.clipboardData.getData('text'))) event.preventDefault()
          }}
        />
        {pasted.trim() !== '' && (
          <Button variant="default" mb={16} onClick={() => read(pasted)}>
            <Trans>Add to the list</Trans>
          </Button>
        )}
        <ul ref={list} className={styles.rows} aria-label={t`Users to invite`}>
          {rows.map((row, index) => (
            <InviteeRow
              key={row.key}
              row={row}
              number={index + 1}
              users={users}
              teams={teams}
              onChange={(part) => change(row.key, part)}
              onRemove={rows.length > 1 || !isEmpty(row) ? () => remove(row.key) : undefined}
            />
          ))}
        </ul>
        {isFull && (
          <Text c="var(--red)" mb={12} role="alert">
            {t`Invite at most ${maxInvitees} users at once.`}
          </Text>
        )}
        <Problem error={problem} />
        <Group gap={8} mt={12}>
          <Button type="submit" loading={isBusy} disabled={isFull}>
            {plural(Math.max(1, filled.length), { one: 'Invite # user', other: 'Invite # users' })}
          </Button>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add([])}>
            <Trans>Add a row</Trans>
          </Button>
        </Group>
      </form>
      <ConfirmLeave when={filled.length > 0} what={t`the list`} />
    </Page>
  )
}
