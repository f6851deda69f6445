import { Trans } from '@lingui/react/macro'
import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { initialNames } from '#contract/access/account'
import { meQuery, useMe } from '../../access/account/me.ts'
import { NameFields, nameRules } from '../../access/account/NameFields.tsx'
import { accountQuery, changeAccount } from '../../access/account/queries.ts'
import { usersQuery } from '../../access/account/users.ts'
import { patch } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { refreshFirstStart } from './queries.ts'

export function CompanyStep() {
  const { data: account, error, refetch } = useQuery(accountQuery)
  if (error && !account) return <Problem error={error} retry={() => void refetch()} />
  return account ? <Names company={account.name} /> : <Skeleton height={180} />
}

function Names({ company }: { company: string }) {
  const me = useMe()
  const { form, saving, submit, problem } = useSaveForm({
    // Initial names are not suggested.
    initialValues: {
      company: company === initialNames.account ? '' : company,
      name: me.name === initialNames.user ? '' : me.name,
    },
    validate: nameRules,
    save: async (values) => {
      const names = { company: values.company.trim(), name: values.name.trim() }
      if (names.company !== company) await changeAccount({ name: names.company, was: { name: company } })
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
        <NameFields form={form} />
        <Problem error={problem} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            <Trans>Save names</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
