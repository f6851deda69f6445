import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { LeadChoices } from '#contract/crm/leads'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'
import { contains } from '../../platform/ui/find-options.ts'
import { useUserStates } from '../availability/use-user-states.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import type { DialogProps } from './dialog-props.ts'

interface Props extends DialogProps {
  people: LeadChoices['people']
}

/** Splits the leads among several users by weight. */
export function SplitDialog({ opened, onClose, people, count, onSave }: Props) {
  const [weights, setWeights] = useState<Record<string, number>>({})
  const [search, setSearch] = useState('')
  const { withState } = useUserStates()
  useEffect(() => {
    if (!opened) return
    setWeights({})
    setSearch('')
  }, [opened])
  const chosen = Object.entries(weights).map(([email, weight]) => ({ email, weight }))
  const found = people.filter(({ name }) => contains(name, search))
  const sum = chosen.reduce((total, { weight }) => total + weight, 0)
  const toggle = (email: string, isChosen: boolean) =>
    setWeights(({ [email]: _, ...others }) => (isChosen ? { ...others, [email]: 1 } : others))
  return (
    <ChangeDialog
      opened={opened}
      onClose={onClose}
      title={t`Split ${plural(count, { one: '# lead', other: '# leads' })}`}
      action={t`Split leads`}
      change={chosen.length > 0 ? { assign_to: chosen } : null}
      onSave={onSave}
    >
      <Text size="sm" c="dimmed">
        <Trans>A user with weight 2 gets twice as many leads as one with weight 1.</Trans>
      </Text>
      {people.length > 8 && (
        <TextInput
          type="search"
          aria-label={t`Search users`}
          placeholder={t`Search`}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          {...enterOnlyChooses}
        />
      )}
      <Stack gap={8} mah={360} style={{ overflowY: 'auto' }}>
        {found.map(({ id, name, email }) => (
          <Group key={email} justify="space-between" wrap="nowrap" mih={36}>
            <Checkbox
              label={withState(name, id)}
              checked={email in weights}
              onChange={(event) => toggle(email, event.currentTarget.checked)}
            />
            {email in weights && (
              <Group gap={12} wrap="nowrap">
                <Text size="sm" c="dimmed">
                  {t`about ${plural({ leads: Math.round((count * weights[email]!) / sum) }, { one: '# lead', other: '# leads' })}`}
                </Text>
                <NumberInput
                  aria-label={t`Weight of ${name}`}
                  w={72}
                  min={1}
                  max={100}
                  allowDecimal={false}
                  allowNegative={false}
                  clampBehavior="strict"
                  value={weights[email]!}
                  onChange={(value) => setWeights((before) => ({ ...before, [email]: Number(value) || 1 }))}
                />
              </Group>
            )}
          </Group>
        ))}
      </Stack>
    </ChangeDialog>
  )
}
