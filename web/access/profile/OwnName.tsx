import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { patch } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { takeSaved } from '../../platform/ui/form-changes.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { meQuery, useMe } from '../account/me.ts'
import { roleNames } from '../account/role-names.ts'
import { usersQuery } from '../account/users.ts'

export function OwnName() {
  const me = useMe()
  const rename = async (shown: string, name: string) => {
    await patch('/web/me', { name })
    takeSaved(form, { name: shown }, { name })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
    ])
  }
  const { form, saving, submit, problem } = useSaveForm({
    initialValues: { name: me.name },
    validate: { name: (name) => (name.trim() ? null : t`Enter your name.`) },
    save: async ({ name }) => {
      const before = form.getInitialValues().name
      const after = name.trim()
      await rename(name, after)
      notify(t`Name saved`, () => rename(after, before).then(() => notify(t`Undone`)))
    },
  })
  return (
    <Section title={t`You`}>
      <form onSubmit={submit} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t`Name`}
            maxLength={200}
            required
            autoComplete="name"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <Text c="dimmed">
            {me.team
              ? t`${{ role: roleNames[me.role] }} of ${{ account: me.account.name }}, team ${{ team: me.team }}.`
              : t`${{ role: roleNames[me.role] }} of ${{ account: me.account.name }}.`}{' '}
            <Trans>An Admin can change your role and team under Team.</Trans>
          </Text>
          <Problem error={problem} />
          <Group>
            <Button type="submit" variant="default" loading={saving.isPending}>
              <Trans>Save name</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
