import { Alert, Box, Text, Title } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fieldsAsShown, type LeadField } from '#contract/leads'
import type { DeliveryPreview } from '#contract/payload'
import { formatPhone } from '../../contacts/phone.ts'
import { PriorityBadge, StatusBadge } from '../../leads/LeadBadges.tsx'
import { formatMoney } from '../../ui/numbers.ts'
import { usersQuery } from '../../users.ts'
import { mappedFieldLabel } from '../field-labels.ts'
import { LongText } from '../LongText.tsx'
import { recordsSummary } from '../record-words.ts'
import { Warnings } from '../Warnings.tsx'
import styles from './MappingTab.module.css'

type Lead = NonNullable<DeliveryPreview['lead']>

/** The lead that a delivery would make now, and the origin of each value. */
export function ResultingLead({ preview }: { preview: DeliveryPreview }) {
  const { lead, error, warnings } = preview
  return (
    <section aria-label="Resulting lead">
      <Title order={2} mb={8} lh="30px">
        Resulting lead
      </Title>
      {preview.records && (
        <Text c="dimmed" mb={8}>
          {recordsSummary(preview.records)}
        </Text>
      )}
      <div aria-live="polite">
        {error && (
          <Alert variant="default" p={12} icon={<IconCircleX color="var(--red)" />} title="Rejected">
            {error}
          </Alert>
        )}
        {lead && (
          <dl className={styles.fields}>
            {fieldsAsShown.map((field) => (
              <div key={field}>
                <dt>{mappedFieldLabel(field)}</dt>
                <dd>
                  <Shown field={field} lead={lead} rule={preview.rule} />
                  <Text size="xs" c="dimmed">
                    {originOf(field, preview)}
                  </Text>
                </dd>
              </div>
            ))}
          </dl>
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
  if (email === null) return <span>{byRule ? 'Next in round robin' : 'Unassigned'}</span>
  return <span>{users?.find((user) => user.email === email)?.name ?? email}</span>
}

function originOf(field: LeadField, { lead, picks, from_defaults, rule }: DeliveryPreview): string | null {
  if (field === 'tags' && lead?.tags.length === 0) return null
  if (field === 'assigned_to' && rule) return `rule “${rule.name}”`
  const own = picks.filter(
    (match) => match.field === field || (field === 'name' && /^(first|last)_name$/.test(match.field)),
  )
  const paths = own.map(({ path }) => path)
  const byDefault = from_defaults.includes(field) && field !== 'assigned_to'
  if (field === 'tags')
    return (
      [...(paths.length > 0 ? [`from ${paths.join(', ')}`] : []), ...(byDefault ? ['default'] : [])].join('; ') || null
    )
  if (byDefault) return 'default'
  return paths.length > 0 ? `from ${paths.join(', ')}` : null
}
