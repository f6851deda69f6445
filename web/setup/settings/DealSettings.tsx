import { t } from '@lingui/core/macro'
import { Box, Input, NumberInput, SimpleGrid, Stack, TagsInput } from '@mantine/core'
import { useId } from 'react'
import { type AccountSettings, maxLostReasonLength, maxLostReasons } from '#contract/access/account'
import { useSaveAccount } from '../../access/account/use-save-account.ts'
import { statusNames } from '../../crm/leads/lead-words.ts'
import { Problem } from '../../platform/ui/Problem.tsx'
import { Section } from '../../platform/ui/Section.tsx'

const openStatuses = ['New', 'Contacted', 'Qualified', 'Proposal'] as const

/** How likely deals are won, and why they are lost. */
export function DealSettings({ account }: { account: AccountSettings }) {
  const { shown, save, problem } = useSaveAccount(account)
  const { win_probabilities, lost_reasons } = shown
  const probabilityId = useId()
  const saveProbability = (status: (typeof openStatuses)[number], typed: string) => {
    const percent = Number.parseInt(typed, 10)
    if (Number.isNaN(percent) || percent === win_probabilities[status]) return
    save({ win_probabilities: { ...win_probabilities, [status]: Math.min(100, Math.max(0, percent)) } })
  }
  return (
    <Section
      title={t`Deals`}
      about={t`The expected value of an open lead is its deal value times the probability to win it.`}
    >
      <Stack gap={16}>
        <Box role="group" aria-labelledby={probabilityId}>
          <Input.Label id={probabilityId} labelElement="div">
            {t`Probability to win, by status`}
          </Input.Label>
          <SimpleGrid cols={{ base: 2, xs: 4 }} spacing={8}>
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
        </Box>
        <TagsInput
          label={t`Lost reasons`}
          description={t`Users choose one when a lead is lost. Press Enter to add a reason, up to ${maxLostReasons}.`}
          value={lost_reasons}
          maxTags={maxLostReasons}
          maxLength={maxLostReasonLength}
          splitChars={[]}
          onChange={(reasons) => save({ lost_reasons: reasons.map((reason) => reason.trim()) })}
        />
        <Problem error={problem} />
      </Stack>
    </Section>
  )
}
