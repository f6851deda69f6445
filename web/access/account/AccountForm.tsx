import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AccountSettings } from '#contract/access/account'
import { queryClient } from '../../platform/api/query.ts'
import { ConfirmLeave } from '../../platform/ui/ConfirmLeave.tsx'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { changesSince, takeSaved } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { auditKeys } from '../audit/queries.ts'
import { type Country, countriesLike, countryOptions } from './countries.ts'
import { meQuery } from './me.ts'
import { changeAccount } from './queries.ts'

type Values = Pick<
  AccountSettings,
  'name' | 'default_country' | 'lowest_role_to_delete' | 'lowest_role_to_export' | 'answering_user_owns' | 'names_owner'
>

const valuesOf = ({
  name,
  default_country,
  lowest_role_to_delete,
  lowest_role_to_export,
  answering_user_owns,
  names_owner,
}: AccountSettings): Values => ({
  name,
  default_country,
  lowest_role_to_delete,
  lowest_role_to_export,
  answering_user_owns,
  names_owner,
})

const lowestRoles = [
  { value: 'Admin', label: t`Admins` },
  { value: 'Manager', label: t`Admins and Managers` },
  { value: 'Agent', label: t`All users` },
]

export function AccountForm({ account }: { account: AccountSettings }) {
  const [countries] = useState(countryOptions)
  const [dirty, setDirty] = useState(false)
  const change = async (shown: Values, before: Values, after: Values) => {
    const saved = await changeAccount(changesSince(before, after))
    takeSaved(form, shown, valuesOf(saved))
    setDirty(form.isDirty())
    for (const queryKey of [meQuery.queryKey, auditKeys.all]) void queryClient.invalidateQueries({ queryKey })
  }
  const { form, saving, submit, problem } = useSaveForm<Values, void>({
    initialValues: valuesOf(account),
    onValuesChange: () => setDirty(form.isDirty()),
    validate: { name: (name) => (name.trim() === '' ? t`Enter a name.` : null) },
    save: async (values) => {
      const before = form.getInitialValues()
      const after = { ...values, name: values.name.trim() }
      await change(values, before, after)
      notify(t`Account saved`, () => change(after, after, before).then(() => notify(t`Undone`)))
    },
  })

  return (
    <form onSubmit={submit} noValidate>
      <ConfirmLeave when={dirty} what={t`the account`} />
      <Stack gap={16}>
        <TextInput
          label={t`Name`}
          description={t`Shown in invitations and in your profile.`}
          maxLength={200}
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Select
          key={form.key('default_country')}
          {...form.getInputProps('default_country')}
          label={t`Default country`}
          description={t`Country of phone numbers without a country code. Applies to new leads; existing numbers do not change.`}
          data={countries}
          filter={({ options, search }) => countriesLike(options as Country[], search)}
          searchable
          {...enterOnlyChooses}
          selectFirstOptionOnChange
          onFocus={(event) => event.currentTarget.select()}
          allowDeselect={false}
          nothingFoundMessage={t`No matches`}
          maxDropdownHeight={320}
        />
        <Select
          label={t`Who may delete leads and calls`}
          description={t`In the web app. API keys have permissions of their own.`}
          data={lowestRoles}
          allowDeselect={false}
          key={form.key('lowest_role_to_delete')}
          {...form.getInputProps('lowest_role_to_delete')}
        />
        <Select
          label={t`Who may export leads and calls`}
          data={lowestRoles}
          allowDeselect={false}
          key={form.key('lowest_role_to_export')}
          {...form.getInputProps('lowest_role_to_export')}
        />
        <Switch
          label={t`Give an unassigned lead to the user who answers its call`}
          description={t`When a telephone system reports the call to a webhook.`}
          key={form.key('answering_user_owns')}
          {...form.getInputProps('answering_user_owns', { type: 'checkbox' })}
        />
        <Switch
          label={t`Show who owns a colleague’s customer`}
          description={t`To a user who adds a customer that is a colleague’s lead. No other data is shown.`}
          key={form.key('names_owner')}
          {...form.getInputProps('names_owner', { type: 'checkbox' })}
        />
        <Problem error={problem} />
        <Group gap={8}>
          <Button type="submit" loading={saving.isPending} disabled={!dirty}>
            <Trans>Save changes</Trans>
          </Button>
          {dirty && <Text c="dimmed">{t`Unsaved changes`}</Text>}
        </Group>
      </Stack>
    </form>
  )
}
