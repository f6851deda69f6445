import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnPhoneLine } from '#contract/telephony/phone-lines'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { useSaveForm } from '../../platform/ui/use-save-form.ts'
import { PhoneLinesField, phoneLinesLabel } from './PhoneLinesField.tsx'
import { ownLinesQuery, saveLines } from './queries.ts'

export function OwnPhoneLines() {
  const { data: lines, error, refetch } = useQuery(ownLinesQuery)
  return (
    <Section
      title={phoneLinesLabel}
      about={t`Calls that a telephone system reports with one of them, or with your email, are shown as yours.`}
    >
      <Problem error={error} retry={() => void refetch()} />
      {lines ? <OwnLinesForm lines={lines} /> : !error && <Skeleton height={88} />}
    </Section>
  )
}

function OwnLinesForm({ lines }: { lines: OwnPhoneLine[] }) {
  const [dirty, setDirty] = useState(false)
  const [typed, setTyped] = useState('')
  const pending = lines.filter(({ pending }) => pending)
  const { form, saving, submit, problem } = useSaveForm<{ line: string[] }, void>({
    // Named as the server names it.
    initialValues: { line: lines.map(({ written }) => written) },
    onValuesChange: () => setDirty(form.isDirty()),
    save: async ({ line }) => {
      await saveLines(lines, line)
      form.resetDirty({ line })
      setDirty(false)
      notify(t`Numbers and extensions saved`)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={16}>
        <PhoneLinesField
          aria-label={phoneLinesLabel}
          onSearchChange={setTyped}
          key={form.key('line')}
          {...form.getInputProps('line')}
        />
        {pending.length > 0 && (
          <Text size="sm" c="dimmed">
            {t`An Admin has to confirm: ${{ lines: pending.map(({ written }) => written).join(', ') }}. Until then, no call counts for them.`}
          </Text>
        )}
        <Problem error={problem} />
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending} disabled={!dirty && typed.trim() === ''}>
            <Trans>Save numbers</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
