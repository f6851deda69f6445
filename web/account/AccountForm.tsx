import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountChange, AccountSettings } from '#contract/account'
import { type Data, patch } from '../api.ts'
import { ConfirmLeave } from '../ui/ConfirmLeave.tsx'
import { changesOf, takeSaved } from '../ui/form-changes.ts'
import { problemOfForm, toFirstProblem } from '../ui/form-problem.ts'
import { notify, notifyProblem } from '../ui/notify.tsx'
import { Problem } from '../ui/Problem.tsx'
import { type Country, countriesLike, countryOptions } from './countries.ts'
import { accountQuery } from './queries.ts'

type Values = Pick<AccountSettings, 'name' | 'default_country'>

const fields = ['name', 'default_country']

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
    mutationFn: async ({ change }: { change: AccountChange; shown: Values }) =>
      (await patch<Data<AccountSettings>>('/web/account', change)).data,
    onSuccess: (saved, { shown }) => {
      queryClient.setQueryData(accountQuery.queryKey, saved)
      takeSaved(form, shown, valuesOf(saved))
      setDirty(form.isDirty())
      for (const queryKey of [['me'], ['audit']]) void queryClient.invalidateQueries({ queryKey })
    },
  })

  const submit = async (values: Values) => {
    setProblem(null)
    const before = form.getInitialValues()
    const after = { ...values, name: values.name.trim() }
    try {
      await save.mutateAsync({ change: changesOf(before, after), shown: values })
      const undo = { change: changesOf(after, before), shown: after }
      notify('Account saved', () => save.mutateAsync(undo).then(() => notify('Undone'), notifyProblem))
    } catch (error) {
      setProblem(problemOfForm(form, fields, error))
    }
  }

  return (
    <form onSubmit={form.onSubmit((values) => void submit(values), toFirstProblem(form, fields))} noValidate>
      <ConfirmLeave when={dirty} what="the account" />
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
          filter={({ options, search }) => countriesLike(options as Country[], search)}
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
