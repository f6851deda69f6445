import { t } from '@lingui/core/macro'
import { Autocomplete, Radio, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Role, roles } from '#contract/access/account'
import { roleNames } from '../../access/account/role-names.ts'
import { roleWords } from './user.ts'

export interface RoleValues {
  role: Role
  team: string
}

interface Props<Values extends RoleValues> {
  form: UseFormReturnType<Values>
  teams: string[]
}

/** The role and the team: whose leads a user sees. */
export function RoleFields<Values extends RoleValues>({ form, teams }: Props<Values>) {
  return (
    <>
      <Radio.Group label={t`Role`} errorProps={{ mt: 8 }} key={form.key('role')} {...form.getInputProps('role')}>
        <Stack gap={12} mt={8}>
          {roles.map((role) => (
            <Radio key={role} value={role} label={roleNames[role]} description={roleWords[role]} />
          ))}
        </Stack>
      </Radio.Group>
      <Autocomplete
        label={t`Team`}
        // Above: below are the buttons.
        comboboxProps={{ position: 'top-start' }}
        description={t`Managers see the leads of their team. Optional.`}
        data={teams}
        maxLength={200}
        autoComplete="off"
        key={form.key('team')}
        {...form.getInputProps('team')}
      />
    </>
  )
}
