import { Alert, Box, Text, Title } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fieldsAsShown, type LeadField } from '#contract/leads'
import type { Reading } from '#contract/payload'
import { PriorityBadge, StatusBadge } from '../../leads/LeadBadges.tsx'
import { formatPhone } from '../../ui/ContactLink.tsx'
import { formatMoney } from '../../ui/numbers.ts'
import { usersQuery } from '../../users.ts'
import { fieldWord } from '../field-words.ts'
import { LongText } from '../LongText.tsx'
import { recordsSentence } from '../record-words.ts'
import { Warnings } from '../Warnings.tsx'
import styles from './MappingTab.module.css'

type Lead = NonNullable<Reading['lead']>

/** The lead that a delivery would make just now, and where each of its values comes from. */
export function LeadMade({ reading }: { reading: Reading }) {
  const { lead, error, warnings } = reading
  return (
    <section aria-label="The lead it makes" className={styles.lead}>
      <Title order={2} mb={8} lh="30px">
        The lead it makes
      </Title>
      {reading.records && (
        <Text c="dimmed" mb={8}>
          {recordsSentence(reading.records)}
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
                <dt>{fieldWord(field)}</dt>
                <dd>
                  <Shown field={field} lead={lead} rule={reading.rule} />
                  <Text size="xs" c="dimmed">
                    {originOf(field, reading)}
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

function Shown({ field, lead, rule }: { field: LeadField; lead: Lead; rule: Reading['rule'] }) {
  if (field === 'assigned_to') return <Assignee email={lead.assigned_to} byTurn={rule !== null} />
  if (field === 'status') return <StatusBadge status={lead.status} />
  if (field === 'priority') return <PriorityBadge priority={lead.priority} />
  const value = field === 'deal_value' && lead.deal_value !== null ? formatMoney(lead.deal_value) : lead[field]
  const text = Array.isArray(value) ? value.join(', ') : value
  if (text === null || text === '') return <span>—</span>
  return <LongText text={field === 'phone' ? formatPhone(String(text)) : String(text)} />
}

function Assignee({ email, byTurn }: { email: string | null; byTurn: boolean }) {
  const { data: people } = useQuery(usersQuery)
  if (email === null) return <span>{byTurn ? 'Whoever’s turn it is' : 'Nobody'}</span>
  return <span>{people?.find((person) => person.email === email)?.name ?? email}</span>
}

function originOf(field: LeadField, { lead, picks, from_defaults, rule }: Reading): string | null {
  if (field === 'tags' && lead?.tags.length === 0) return null
  if (field === 'assigned_to' && rule) return `by the rule “${rule.name}”`
  const own = picks.filter(
    (pick) => pick.field === field || (field === 'name' && /^(first|last)_name$/.test(pick.field)),
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
