import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedUser } from '#contract/team'
import { patch } from '../api.ts'
import { meQuery, useMe } from '../me.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { changesOf } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { consequencesOf } from './person.ts'
import { usePeopleChanged } from './queries.ts'
import { RoleFields, type RoleValues } from './RoleFields.tsx'

interface Props {
  person: ListedUser
  opened: boolean
  onClose(): void
  teams: string[]
}

export function EditDialog({ person, opened, onClose, teams }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${person.name}`} closeOnClickOutside={false}>
      <EditForm person={person} teams={teams} onClose={onClose} />
    </Modal>
  )
}

interface EditValues extends RoleValues {
  name: string
}

const fields = ['name', 'role', 'team']

function EditForm({ person, teams, onClose }: Omit<Props, 'opened'>) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const changed = usePeopleChanged()
  const before = { name: person.name, role: person.role ?? 'Agent', team: person.team ?? null }
  const [after, setAfter] = useState(before)
  const [problem, setProblem] = useState<unknown>(null)
  const form = useForm<EditValues>({
    mode: 'uncontrolled',
    initialValues: { ...before, team: before.team ?? '' },
    validate: { name: (name) => (name.trim() ? null : 'Give their name.') },
    onValuesChange: (values) => setAfter(changeOf(values)),
  })
  const save = useMutation({
    mutationFn: async (values: typeof before) => {
      const change = changesOf(before, values)
      if (Object.keys(change).length > 0) await patch(`/web/people/${person.id}`, change)
      return change
    },
    onSuccess: async (change, values) => {
      if (Object.keys(change).length === 0) return onClose()
      if (person.id === me.id && change.role && change.role !== 'Admin') {
        await navigate({ to: '/' })
        await client.invalidateQueries({ queryKey: meQuery.queryKey })
        return
      }
      if (person.id === me.id) void client.invalidateQueries({ queryKey: meQuery.queryKey })
      await changed()
      onClose()
      const undo = () => patch(`/web/people/${person.id}`, changesOf(values, before))
      notify(`Saved ${values.name}`, () => undo().then(changed, notifyProblem))
    },
    onError: (error) => setProblem(problemOfForm(form, fields, error)),
  })
  const consequences = consequencesOf(person.name, before, after)

  return (
    <form
      onSubmit={form.onSubmit(
        (values) => {
          setProblem(null)
          save.mutate(changeOf(values))
        },
        toFirstProblem(form, fields),
      )}
      noValidate
    >
      <Stack gap={16}>
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {person.email}
        </Text>
        <TextInput
          label="Name"
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <RoleFields form={form} teams={teams} />
        <Text role="status" mih={consequences.length ? undefined : 0} style={{ overflowWrap: 'anywhere' }}>
          {consequences.join(' ')}
          {person.id === me.id && before.role === 'Admin' && after.role !== 'Admin' && ' This is you.'}
        </Text>
        <FormActions problem={problem} onCancel={onClose} action="Save changes" busy={save.isPending} />
      </Stack>
    </form>
  )
}

const changeOf = ({ name, role, team }: EditValues) => ({ name: name.trim(), role, team: team.trim() || null })
