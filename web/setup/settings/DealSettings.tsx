import { t } from '@lingui/core/macro'
import { NumberInput, SimpleGrid, Stack, TagsInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type AccountChange, type AccountSettings, maxLostReasonLength, maxLostReasons } from '#contract/access/account'
import { changeAccount } from '../../access/account/queries.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'

const openStatuses = ['New', 'Contacted', 'Qualified', 'Proposal'] as const

/** How likely deals are won, and why they are lost. Each change is saved at once. */
export function DealSettings({ account }: { account: AccountSettings }) {
  const save = useMutation({
    mutationFn: async (change: AccountChange) => {
      await changeAccount(change)
      notify(t`Deal settings saved`)
    },
  })
  const { win_probabilities, lost_reasons } = save.isPending ? { ...account, ...save.variables } : account
  const saveProbability = (status: (typeof openStatuses)[number], typed: string) => {
    const percent = Number.parseInt(typed, 10)
    if (Number.isNaN(percent) || percent === win_probabilities[status]) return
    save.mutate({ win_probabilities: { ...win_probabilities, [status]: Math.min(100, Math.max(0, percent)) } })
  }
  return (
    <Section
      title={t`Deals`}
      about={t`The expected value of open leads is their deal value, weighed by the probability of their status.`}
    >
      <Stack gap={16}>
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing={8} role="group" aria-label={t`Probability to win`}>
          {openStatuses.map((status) => (
            <NumberInput
              // Another value was saved.
              key={`${status} ${win_probabilities[status]}`}
              label={statusNames[status]}
              defaultValue={win_probabilities[status]}
              suffix=" %"
              min={0}
              max={100}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              onBlur={({ currentTarget }) => saveProbability(status, currentTarget.value)}
              onKeyDown={({ key, currentTarget }) => {
                if (key === 'Enter') currentTarget.blur()
              }}
            />
          ))}
        </SimpleGrid>
        <TagsInput
          label={t`Lost reasons`}
          description={t`At most ${maxLostReasons}, one of which a user chooses when a lead is lost. Enter adds what you type.`}
          value={lost_reasons}
          maxTags={maxLostReasons}
          maxLength={maxLostReasonLength}
          splitChars={[]}
          onChange={(reasons) => save.mutate({ lost_reasons: reasons.map((reason) => reason.trim()) })}
        />
        <Problem error={save.error} />
      </Stack>
    </Section>
  )
}
