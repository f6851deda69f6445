import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AccountSettings, initialNames } from '#contract/account'
import { accountQuery } from '../account/queries.ts'
import { type Data, patch } from '../api.ts'
import { meQuery, useMe } from '../me.ts'
import { queryClient } from '../query.ts'
import { Problem } from '../ui/Problem.tsx'
import { useSaveForm } from '../ui/use-save-form.ts'
import { usersQuery } from '../users.ts'
import { refreshFirstStart } from './queries.ts'

export function CompanyStep() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  if (error && !account) return <Problem error={error} retry={() => void refetch()} />
  return account ? <Names company={account.name} /> : <Skeleton height={180} />
}

function Names({ company }: { company: string }) {
  const me = useMe()
  const required = (value: string) => (value.trim() ? null : 'Enter a name.')
  const { form, saving, submit, problem } = useSaveForm({
    // Initial names are not suggested.
    initialValues: {
      company: company === initialNames.account ? '' : company,
      name: me.name === initialNames.user ? '' : me.name,
    },
    validate: { company: required, name: required },
    save: async (values) => {
      const names = { company: values.company.trim(), name: values.name.trim() }
      if (names.company !== company) {
        const { data } = await patch<Data<AccountSettings>>('/web/account', {
          name: names.company,
          was: { name: company },
        })
        queryClient.setQueryData(accountQuery.queryKey, data)
      }
      if (names.name !== me.name) await patch('/web/me', { name: names.name })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
        refreshFirstStart(),
      ])
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16} maw={420}>
        <TextInput
          label="Company name"
          description="Shown in invitations and in quick replies."
          maxLength={200}
          required
          autoComplete="organization"
          key={form.key('company')}
          {...form.getInputProps('company')}
        />
        <TextInput
          label="Your name"
          description="Shown to your team, and as the owner of your leads."
          maxLength={200}
          required
          autoComplete="name"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Problem error={problem} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save names
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
