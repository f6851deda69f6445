import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { permissions, type ShownKey } from '#contract/api-keys'
import { type Data, patch, post } from '../api.ts'
import { useMe } from '../me.ts'
import { FormActions } from '../ui/FormActions.tsx'
import { changesSince } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import type { ToldKey } from './KeyOnce.tsx'
import { type KeyValues, PermissionsField, PersonField, WhitelistField } from './key-fields.tsx'
import { keysQuery } from './queries.ts'
import { useStay } from './stay.ts'

const fields = ['name', 'user_id', 'permissions', 'ip_whitelist']

interface Props {
  /** The key to change; without one a key is made. */
  of?: ShownKey | undefined
  onClose(): void
  onCreated?(told: ToldKey): void
}

export function KeyForm({ of, onClose, onCreated }: Props) {
  const me = useMe()
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: keysQuery.queryKey })
  const [problem, setProblem] = useState<unknown>(null)
  const before = {
    name: of?.name ?? '',
    permissions: of?.permissions ?? ['read', 'write'],
    ip_whitelist: of?.ip_whitelist ?? [],
  }
  const form = useForm<KeyValues>({
    mode: 'uncontrolled',
    initialValues: { ...before, user_id: of?.user.id ?? me.id },
    validate: {
      name: (name) => (name.trim() ? null : 'Give the key a name, such as the program that will use it.'),
      permissions: (chosen) => (chosen.length > 0 ? null : 'Allow at least one of these.'),
    },
  })

  const save = useMutation({
    mutationFn: async ({ user_id, ...given }: KeyValues) => {
      const after = {
        ...given,
        name: given.name.trim(),
        permissions: permissions.filter((one) => given.permissions.includes(one)),
      }
      if (of) {
        const change = changesSince(before, after)
        if (Object.keys(change).length === 0) return
        await patch(`/web/api-keys/${of.id}`, change)
        const undo = () => patch(`/web/api-keys/${of.id}`, changesSince(after, before))
        return notify(`Saved ${after.name}`, () => undo().then(changed, notifyProblem))
      }
      const { data } = await post<Data<{ id: string; key: string }>>('/web/api-keys', { user_id, ...after })
      onCreated?.({ ...after, ...data })
    },
    onSuccess: onClose,
    onError: (error) => setProblem(problemOfForm(form, fields, error)),
    onSettled: changed,
  })
  useStay(save.isPending)
  const close = () => {
    if (!save.isPending) onClose()
  }
  const submit = (values: KeyValues) => {
    setProblem(null)
    save.mutate(values)
  }

  return (
    <Modal opened onClose={close} title={of ? `Edit ${of.name}` : 'Create key'} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit(submit, toFirstProblem(form, fields))} noValidate>
        <Stack gap={16}>
          <TextInput
            label="Name"
            description="One key for each program that uses it, so that each can be ended alone."
            maxLength={200}
            required
            data-autofocus
            autoComplete="off"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <PersonField form={form} of={of} />
          <PermissionsField form={form} />
          <WhitelistField form={form} />
          <FormActions
            problem={problem}
            onCancel={close}
            action={of ? 'Save changes' : 'Create key'}
            busy={save.isPending}
          />
        </Stack>
      </form>
    </Modal>
  )
}
