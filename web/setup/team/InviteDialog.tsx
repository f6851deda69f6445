import { t } from '@lingui/core/macro'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ListedUser } from '#contract/access/account'
import type { PasswordLink } from '#contract/access/sign-in'
import { type Data, post } from '../../platform/api/api.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { OneTimeLink } from './OneTimeLink.tsx'
import { useActivate, useUsersChanged } from './queries.ts'
import { RoleFields, type RoleValues } from './RoleFields.tsx'
import { firstName, listTeams } from './user.ts'

interface Props {
  opened: boolean
  onClose(): void
  users: ListedUser[]
}

export function InviteDialog({ opened, onClose, users }: Props) {
  const [invited, setInvited] = useState<string | null>(null)
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      asks={invited === null}
      onExitTransitionEnd={() => setInvited(null)}
      title={invited ? t`${invited} is invited` : t`Invite a user`}
    >
      <InviteForm users={users} onInvited={setInvited} onClose={onClose} />
    </FormModal>
  )
}

interface InviteValues extends RoleValues {
  email: string
  name: string
}

const noValues: InviteValues = { email: '', name: '', role: 'Agent', team: '' }

function InviteForm({
  users,
  onInvited,
  onClose,
}: {
  users: ListedUser[]
  onInvited(name: string): void
  onClose(): void
}) {
  const changed = useUsersChanged()
  const activate = useActivate()
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: noValues,
    validate: {
      email: (email) => (/\S@\S/.test(email) ? null : t`Enter the email they sign in with.`),
      name: (name) => (name.trim() ? null : t`Enter a name.`),
    },
    save: async ({ email, name, role, team }) => {
      const user = { email: email.trim(), name: name.trim() }
      const body = { ...user, role, team: team.trim() || null }
      return { user, made: (await post<Data<PasswordLink>>('/web/users', body)).data }
    },
    onSaved: ({ user }) => {
      onInvited(user.name)
      void changed()
    },
  })

  const email = saving.isError ? saving.variables.email.trim().toLowerCase() : null
  const deactivated = users.find((user) => !user.active && user.email.toLowerCase() === email)

  if (saving.data) return <OneTimeLink {...saving.data} onDone={onClose} />
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <TextInput
          label={t`Email`}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {deactivated && (
          <Button
            variant="default"
            loading={activate.isPending}
            onClick={() => activate.mutate(deactivated, { onSuccess: onClose })}
          >
            {t`Activate ${{ name: firstName(deactivated.name) }}`}
          </Button>
        )}
        <TextInput
          label={t`Name`}
          required
          maxLength={200}
          autoComplete="off"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <RoleFields form={form} teams={listTeams(users)} />
        <FormActions problem={problem} onCancel={onClose} action={t`Invite user`} busy={saving.isPending} />
      </Stack>
    </form>
  )
}
