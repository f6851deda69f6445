import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Input, Select, Stack, Switch, TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Permission, permissions, type ShownKey } from '#contract/access/api-keys'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { useMe } from '../account/me.ts'
import { roleNames } from '../account/role-names.ts'
import { usersQuery } from '../account/users.ts'
import { permissionWords } from './permission-words.ts'

export interface KeyValues {
  name: string
  user_id: string
  permissions: Permission[]
  ip_whitelist: string[]
}

interface Props {
  form: UseFormReturnType<KeyValues>
}

/** The user that the key acts as. It cannot be changed later: another user needs another key. */
export function UserField({ form, of }: Props & { of: ShownKey | undefined }) {
  const me = useMe()
  const { data: users = [{ ...me, active: true }] } = useQuery(usersQuery)
  if (of)
    return (
      <Input.Wrapper label={t`Linked user`} labelElement="div">
        <div>
          {of.user.name} ({of.user.email})
        </div>
      </Input.Wrapper>
    )
  return (
    <Select
      label={t`Linked user`}
      description={t`The key sees what this user sees and acts in their name. It stops working when the user is deactivated.`}
      data={users
        .filter(({ active }) => active)
        .map(({ id, name, email, role }) => ({
          value: id,
          label: `${name} (${email})${role ? ` · ${roleNames[role]}` : ''}`,
        }))}
      searchable
      {...enterOnlyChooses}
      allowDeselect={false}
      nothingFoundMessage={t`No matches`}
      required
      key={form.key('user_id')}
      {...form.getInputProps('user_id')}
    />
  )
}

export function PermissionsField({ form }: Props) {
  const { defaultValue, ...input } = form.getInputProps('permissions')
  return (
    <Switch.Group label={t`Permissions`} required key={form.key('permissions')} defaultValue={defaultValue} {...input}>
      <Stack gap={12} my={8}>
        {permissions.map((one) => (
          <Switch key={one} value={one} label={permissionWords[one].word} description={permissionWords[one].about} />
        ))}
      </Stack>
    </Switch.Group>
  )
}

export function WhitelistField({ form }: Props) {
  const { address: ip } = useMe()
  const addMine = () => {
    const given = form.getValues().ip_whitelist
    if (!given.includes(ip)) form.setFieldValue('ip_whitelist', [...given, ip])
    form.clearFieldError('ip_whitelist')
  }
  return (
    <Stack gap={8} align="flex-start">
      <TagsInput
        label={t`IP whitelist`}
        description={t`IP addresses and ranges such as 203.0.113.0/24 that may use the key. An empty list allows any IP.`}
        placeholder={t`Add an IP address or a range`}
        splitChars={[',', ' ', '\n']}
        maxTags={100}
        clearable
        clearButtonProps={{ 'aria-label': t`Clear the whitelist` }}
        w="100%"
        key={form.key('ip_whitelist')}
        {...form.getInputProps('ip_whitelist')}
      />
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={addMine}>
        <Trans>Add my IP address ({ip})</Trans>
      </Button>
    </Stack>
  )
}
