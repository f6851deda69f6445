import { t } from '@lingui/core/macro'
import { Stack, TextInput } from '@mantine/core'
import { permissions, type ShownKey } from '#contract/access/api-keys'
import { type Data, patch, post } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { FormActions } from '../../platform/ui/FormActions.tsx'
import { FormModal } from '../../platform/ui/FormModal.tsx'
import { changesSince } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { useMe } from '../account/me.ts'
import { type KeyValues, PermissionsField, UserField, WhitelistField } from './key-fields.tsx'
import { type NewKey, useBlockNavigation } from './NewKeyDialog.tsx'
import { keyKeys } from './queries.ts'

interface Props {
  /** The key to edit; undefined creates a new one. */
  of?: ShownKey | undefined
  onClose(): void
  onCreated?(key: NewKey): void
}

export function KeyForm({ of, onClose, onCreated }: Props) {
  const me = useMe()
  const changed = () => queryClient.invalidateQueries({ queryKey: keyKeys.all })
  const before = {
    name: of?.name ?? '',
    permissions: of?.permissions ?? ['read', 'write'],
    ip_whitelist: of?.ip_whitelist ?? [],
  }
  const { form, saving, submit, problem } = useSaveForm<KeyValues, void>({
    initialValues: { ...before, user_id: of?.user.id ?? me.id },
    validate: {
      name: (name) => (name.trim() ? null : t`Give the key a name, such as the program that will use it.`),
      permissions: (chosen) => (chosen.length > 0 ? null : t`Choose at least one permission.`),
    },
    save: (values) => send(values).finally(() => void changed()),
    onSaved: onClose,
  })
  const send = async ({ user_id, ...given }: KeyValues) => {
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
      notify(t`Saved ${{ name: after.name }}`, () => undo().then(changed))
      return
    }
    const { data } = await post<Data<{ id: string; key: string }>>('/web/api-keys', { user_id, ...after })
    onCreated?.({ ...after, ...data })
  }
  useBlockNavigation(saving.isPending)
  const close = () => {
    if (!saving.isPending) onClose()
  }

  return (
    <FormModal
      opened
      onClose={close}
      asks={!saving.isPending}
      title={of ? t`Edit ${{ name: of.name }}` : t`Create key`}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t`Name`}
            description={t`Use one key per program, so that each can be revoked separately.`}
            maxLength={200}
            required
            data-autofocus
            autoComplete="off"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <UserField form={form} of={of} />
          <PermissionsField form={form} />
          <WhitelistField form={form} />
          <FormActions
            problem={problem}
            onCancel={close}
            action={of ? t`Save changes` : t`Create key`}
            busy={saving.isPending}
          />
        </Stack>
      </form>
    </FormModal>
  )
}
