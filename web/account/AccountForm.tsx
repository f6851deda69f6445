import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountChange, AccountSettings } from '#contract/accounts'
import { type Data, patch } from '../api.ts'
import { problemOfForm } from '../ui/form-problem.ts'
import { LeaveUnsaved } from '../ui/LeaveUnsaved.tsx'
import { Problem } from '../ui/Problem.tsx'
import { tell, tellProblem } from '../ui/tell.tsx'
import { countryOptions } from './countries.ts'
import { accountQuery } from './queries.ts'

interface Values {
  name: string
  default_country: string
}

const valuesOf = ({ name, default_country }: AccountSettings): Values => ({ name, default_country })

export function AccountForm({ account }: { account: AccountSettings }) {
  const queryClient = useQueryClient()
  const [countries] = useState(countryOptions)
  const [problem, setProblem] = useState<unknown>(null)
  const [dirty, setDirty] = useState(false)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: valuesOf(account),
    onValuesChange: () => setDirty(form.isDirty()),
    validate: { name: (name) => (name.trim() === '' ? 'The account needs a name.' : null) },
  })
  const save = useMutation({
    mutationFn: async (change: AccountChange) => (await patch<Data<AccountSettings>>('/web/account', change)).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(accountQuery.queryKey, saved)
      form.setInitialValues(valuesOf(saved))
      form.setValues(valuesOf(saved))
      setDirty(false)
      for (const queryKey of [['me'], ['audit']]) void queryClient.invalidateQueries({ queryKey })
    },
  })

  const submit = async (values: Values) => {
    setProblem(null)
    const before = valuesOf(account)
    const change: AccountChange = {
      ...(values.name.trim() === before.name ? {} : { name: values.name.trim() }),
      ...(values.default_country === before.default_country ? {} : { default_country: values.default_country }),
    }
    try {
      await save.mutateAsync(change)
      tell('Account saved', () => save.mutateAsync(before).then(() => tell('Undone'), tellProblem))
    } catch (error) {
      setProblem(problemOfForm(form, ['name', 'default_country'], error))
    }
  }

  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <LeaveUnsaved when={dirty} what="the account" />
      <Stack gap={16}>
        <TextInput
          label="Name"
          description="Invitations and the sidebar show it."
          maxLength={200}
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Select
          key={form.key('default_country')}
          {...form.getInputProps('default_country')}
          label="Default country"
          description="Phone numbers without a country code are read as numbers of this country from now on. Numbers that are there stay as they are."
          data={countries}
          searchable
          selectFirstOptionOnChange
          onFocus={(event) => event.currentTarget.select()}
          allowDeselect={false}
          nothingFoundMessage="No country like that"
          maxDropdownHeight={320}
        />
        <Problem error={problem} />
        <Group gap={8}>
          <Button type="submit" loading={save.isPending} disabled={!dirty}>
            Save changes
          </Button>
          {dirty && <Text c="dimmed">Unsaved changes</Text>}
        </Group>
      </Stack>
    </form>
  )
}
