import { t } from '@lingui/core/macro'
import { Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import type { UserPhoneLine } from '#contract/telephony/phone-lines'
import { meQuery, useMe } from '../../access/account/me.ts'
import { patch } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { changedValues } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { PhoneLinesField, phoneLinesLabel } from '../../telephony/phone-lines/PhoneLinesField.tsx'
import { phoneLinesQuery, saveLines } from '../../telephony/phone-lines/queries.ts'
import { useUsersChanged } from './queries.ts'
import { RoleFields, type RoleValues } from './RoleFields.tsx'
import { describeConsequences } from './user.ts'

interface Props {
  user: ListedUser
  opened: boolean
  onClose(): void
  teams: string[]
}

export function EditDialog({ user, opened, onClose, teams }: Props) {
  const { data, error, refetch } = useQuery(phoneLinesQuery)
  const lines = data?.users.filter(({ user_id }) => user_id === user.id)
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Edit ${{ name: user.name }}`}>
      <Problem error={error} retry={() => void refetch()} />
      {lines ? (
        <EditForm user={user} lines={lines} teams={teams} onClose={onClose} />
      ) : (
        !error && <Skeleton height={320} />
      )}
    </FormModal>
  )
}

interface EditValues extends RoleValues {
  name: string
  /** Named as the server names it. */
  line: string[]
}

function EditForm({ user, lines, teams, onClose }: Omit<Props, 'opened'> & { lines: UserPhoneLine[] }) {
  const me = useMe()
  const navigate = useNavigate()
  const changed = useUsersChanged()
  const before = { name: user.name, role: user.role ?? 'Agent', team: user.team ?? null }
  const [after, setAfter] = useState(before)
  const { form, saving, submit, problem } = useSaveForm<EditValues, void>({
    initialValues: { ...before, team: before.team ?? '', line: lines.map(({ written }) => written) },
    validate: { name: (name) => (name.trim() ? null : t`Enter a name.`) },
    onValuesChange: (values) => setAfter(changeOf(values)),
    save: async (values) => {
      const saved = changeOf(values)
      const change = changedValues(before, saved)
      const hasNewLines = values.line.join('\n') !== lines.map(({ written }) => written).join('\n')
      if (hasNewLines) await saveLines(lines, values.line, user.id)
      if (Object.keys(change).length === 0) {
        if (hasNewLines) notify(t`Saved ${{ name: user.name }}`)
        return onClose()
      }
      const send = (change: object) => patch(`/web/users/${user.id}`, change)
      await send(change)
      if (user.id === me.id && change.role && change.role !== 'Admin') {
        await navigate({ to: '/' })
        await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
        return
      }
      if (user.id === me.id) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      await changed()
      onClose()
      notify(t`Saved ${{ name: saved.name }}`, () => send(changedValues(saved, before)).then(changed))
    },
  })
  const consequences = describeConsequences(user.name, before, after)

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <Text c="dimmed">{user.email}</Text>
        <TextInput
          label={t`Name`}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <RoleFields form={form} teams={teams} />
        <PhoneLinesField
          label={phoneLinesLabel}
          description={t`Telephone systems identify the user by these, or by the email. Optional.`}
          key={form.key('line')}
          {...form.getInputProps('line')}
        />
        <Text role="status" mih={consequences.length ? undefined : 0}>
          {consequences.join(' ')}
          {user.id === me.id && before.role === 'Admin' && after.role !== 'Admin' && ` ${t`This is you.`}`}
        </Text>
        <FormActions problem={problem} onCancel={onClose} action={t`Save changes`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}

const changeOf = ({ name, role, team }: EditValues) => ({ name: name.trim(), role, team: team.trim() || null })
