import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasswordLink } from '#contract/sign-in'
import { type Data, post } from '../api.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { OneTimeLink } from './OneTimeLink.tsx'
import { usePeopleChanged } from './queries.ts'
import { RoleFields, type RoleValues } from './RoleFields.tsx'

interface Props {
  opened: boolean
  onClose(): void
  teams: string[]
}

export function InviteDialog({ opened, onClose, teams }: Props) {
  const [invited, setInvited] = useState<string | null>(null)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setInvited(null)}
      title={invited ? `${invited} is invited` : 'Invite a person'}
      closeOnClickOutside={false}
    >
      <InviteForm teams={teams} onInvited={setInvited} onClose={onClose} />
    </Modal>
  )
}

interface InviteValues extends RoleValues {
  email: string
  name: string
}

const fields = ['email', 'name', 'role', 'team']

function InviteForm({
  teams,
  onInvited,
  onClose,
}: {
  teams: string[]
  onInvited(name: string): void
  onClose(): void
}) {
  const changed = usePeopleChanged()
  const form = useForm<InviteValues>({
    mode: 'uncontrolled',
    initialValues: { email: '', name: '', role: 'Agent', team: '' },
    validate: {
      email: (email) => (/\S@\S/.test(email) ? null : 'Give the email they sign in with.'),
      name: (name) => (name.trim() ? null : 'Give their name.'),
    },
  })
  const [problem, setProblem] = useState<unknown>(null)
  const invite = useMutation({
    mutationFn: async ({ email, name, role, team }: InviteValues) => {
      const person = { email: email.trim(), name: name.trim() }
      const body = { ...person, role, team: team.trim() || null }
      return { person, made: (await post<Data<PasswordLink>>('/web/people', body)).data }
    },
    onSuccess: ({ person }) => {
      onInvited(person.name)
      void changed()
    },
    onError: (error) => setProblem(problemOfForm(form, fields, error)),
  })

  if (invite.data) return <OneTimeLink {...invite.data} onDone={onClose} />
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => {
          setProblem(null)
          invite.mutate(values)
        },
        toFirstProblem(form, fields),
      )}
      noValidate
    >
      <Stack gap={16}>
        <TextInput
          label="Email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Name"
          required
          maxLength={200}
          autoComplete="off"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <RoleFields form={form} teams={teams} />
        <FormActions problem={problem} onCancel={onClose} action="Invite person" busy={invite.isPending} />
      </Stack>
    </form>
  )
}
