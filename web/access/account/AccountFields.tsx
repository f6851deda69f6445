import { t } from '@lingui/core/macro'
import { Select, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AccountSettings, Role } from '#contract/access/account'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { fieldProblemText, Problem } from '../../platform/ui/Problem.tsx'
import { type Country, countriesLike, countryOptions } from './countries.ts'
import { companyField, nameRules } from './NameFields.tsx'
import { useSaveAccount } from './use-save-account.ts'

const lowestRoles: { value: Role; label: string }[] = [
  { value: 'Admin', label: t`Admins` },
  { value: 'Manager', label: t`Admins and Managers` },
  { value: 'Agent', label: t`All users` },
]

/** What the account is called, and what its users may do. */
export function AccountFields({ account }: { account: AccountSettings }) {
  const [countries] = useState(countryOptions)
  const { shown, save, problem } = useSaveAccount(account)
  return (
    <Stack gap={16}>
      <CompanyName account={account} />
      <Select
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
        value={shown.default_country}
        onChange={(default_country) => save({ default_country: default_country! })}
      />
      <Select
        label={t`Who may delete leads and calls`}
        description={t`In the web app. API keys have permissions of their own.`}
        data={lowestRoles}
        allowDeselect={false}
        value={shown.lowest_role_to_delete}
        onChange={(role) => save({ lowest_role_to_delete: role! })}
      />
      <Select
        label={t`Who may export leads and calls`}
        data={lowestRoles}
        allowDeselect={false}
        value={shown.lowest_role_to_export}
        onChange={(role) => save({ lowest_role_to_export: role! })}
      />
      <Switch
        label={t`Assign an unassigned lead to the user who answers its call`}
        description={t`For calls that a telephone system reports to a webhook.`}
        checked={shown.answering_user_owns}
        onChange={({ currentTarget }) => save({ answering_user_owns: currentTarget.checked })}
      />
      <Switch
        label={t`Show who owns a colleague’s lead`}
        description={t`To a user who adds the same customer, or gets a call of the lead.`}
        checked={shown.names_owner}
        onChange={({ currentTarget }) => save({ names_owner: currentTarget.checked })}
      />
      <Problem error={problem} />
    </Stack>
  )
}

/** Saved when the field is left, and by Enter. */
function CompanyName({ account }: { account: AccountSettings }) {
  const { shown, save, problem } = useSaveAccount(account)
  const [typed, setTyped] = useState<string | null>(null)
  const missing = typed === null ? null : nameRules.company(typed)
  const saveTyped = () => {
    const name = typed?.trim()
    if (name === shown.name) setTyped(null)
    else if (name) save({ name }, { onSuccess: () => setTyped((now) => (now?.trim() === name ? null : now)) })
  }
  return (
    <TextInput
      {...companyField}
      value={typed ?? shown.name}
      error={missing ?? (problem && fieldProblemText(problem))}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={saveTyped}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) saveTyped()
      }}
    />
  )
}
