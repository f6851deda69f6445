import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Box, Text, Title } from '@mantine/core'
import { IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fieldsAsShown, type LeadField } from '#contract/crm/leads'
import type { DeliveryPreview } from '#contract/intake/payload'
import { usersQuery } from '../../../access/account/users.ts'
import { formatPhone, usePhonePlans } from '../../../crm/contacts/phone.ts'
import { PriorityBadge, StatusBadge } from '../../../crm/leads/LeadBadges.tsx'
import { Fact, Facts } from '../../../platform/ui/Facts.tsx'
import { formatMoney } from '../../../platform/ui/numbers.ts'
import { mappedFieldLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import { outcomeWord } from '../OutcomeBadge.tsx'
import { recordsSummary } from '../record-words.ts'
import { Warnings } from '../Warnings.tsx'
import styles from './MappingTab.module.css'

type Lead = NonNullable<DeliveryPreview['lead']>

/** The lead that a delivery would make now and the origin of each value, or why it would make none. */
export function ResultingLead({ preview }: { preview: DeliveryPreview }) {
  const { outcome, lead, error, warnings } = preview
  return (
    <section aria-label={t`Resulting lead`}>
      <Title order={2} mb={8} lh="30px">
        <Trans>Resulting lead</Trans>
      </Title>
      {preview.records && (
        <Text c="dimmed" mb={8}>
          {recordsSummary(preview.records)}
        </Text>
      )}
      <div aria-live="polite">
        {error && outcome !== 'lead' && outcome !== 'call' && (
          <Alert
            variant="default"
            p={12}
            icon={outcome === 'rejected' ? <IconCircleX color="var(--red)" /> : <IconCircleMinus />}
            title={outcomeWord(outcome)}
          >
            {error}
          </Alert>
        )}
        {lead && (
          <Facts>
            {fieldsAsShown.map((field) => (
              <Fact key={field} name={mappedFieldLabel(field)}>
                <div className={styles.valueAndOrigin}>
                  <Shown field={field} lead={lead} rule={preview.rule} />
                  <Text size="xs" c="dimmed">
                    {originOf(field, preview)}
                  </Text>
                </div>
              </Fact>
            ))}
          </Facts>
        )}
      </div>
      {warnings.length > 0 && (
        <Box mt={12}>
          <Warnings warnings={warnings} />
        </Box>
      )}
    </section>
  )
}

function Shown({ field, lead, rule }: { field: LeadField; lead: Lead; rule: DeliveryPreview['rule'] }) {
  usePhonePlans()
  if (field === 'assigned_to') return <Assignee email={lead.assigned_to} byRule={rule !== null} />
  if (field === 'status') return <StatusBadge status={lead.status} />
  if (field === 'priority') return <PriorityBadge priority={lead.priority} />
  const value = field === 'deal_value' && lead.deal_value !== null ? formatMoney(lead.deal_value) : lead[field]
  const text = Array.isArray(value) ? value.join(', ') : value
  if (text === null || text === '') return <span>—</span>
  return <LongText text={field === 'phone' ? formatPhone(String(text)) : String(text)} />
}

function Assignee({ email, byRule }: { email: string | null; byRule: boolean }) {
  const { data: users } = useQuery(usersQuery)
  if (email === null) return <span>{byRule ? t`Next in round robin` : t`Unassigned`}</span>
  return <span>{users?.find((user) => user.email === email)?.name ?? email}</span>
}

function originOf(field: LeadField, { lead, picks, from_defaults, rule }: DeliveryPreview): string | null {
  if (field === 'tags' && lead?.tags.length === 0) return null
  if (field === 'assigned_to' && rule) return t`rule “${{ name: rule.name }}”`
  const own = picks.filter(
    (match) => match.field === field || (field === 'name' && /^(first|last)_name$/.test(match.field)),
  )
  const paths = own.map(({ path }) => path).join(', ')
  const byDefault = from_defaults.includes(field) && field !== 'assigned_to'
  if (field === 'tags' && byDefault && paths) return t`from ${paths}; default`
  if (byDefault) return t`default`
  return paths ? t`from ${paths}` : null
}
