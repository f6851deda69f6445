import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ChangedLead,
  type Lead,
  type LeadChoices,
  type LeadInFull,
  leadPriorities,
  leadStatuses,
} from '#contract/crm/leads'
import { useIsAdmin } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { useUserStates } from '../../crm/availability/use-user-states.ts'
import { PriorityBadge, StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { LostReasonDialog } from '../../crm/leads/LostReasonDialog.tsx'
import { priorityNames, statusNames } from '../../crm/leads/lead-words.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { formatDateTime, formatIsoDate } from '../../platform/ui/time.ts'
import { CallAgainField } from './CallAgainField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { DateField } from './DateField.tsx'
import { ReadOnlyField } from './Field.tsx'
import { MoneyField } from './MoneyField.tsx'
import { useChangeLead, useSetField } from './use-change-lead.ts'

const statuses = leadStatuses.map((value) => ({
  value,
  label: statusNames[value],
  shown: <StatusBadge status={value} />,
}))
const priorities = leadPriorities
  .map((value) => ({ value, label: priorityNames[value], shown: <PriorityBadge priority={value} /> }))
  .reverse()

/** What selling changes: status, owner, when to call again, the deal and priority. */
export function WorkFields({ lead }: { lead: LeadInFull }) {
  const set = useSetField(lead)
  const { data: choices } = useQuery(choicesQuery)
  const { data: account } = useQuery(accountQuery)
  /** While the reason of a lead that was just lost is asked for: its values before. */
  const [beforeLost, setBeforeLost] = useState<ChangedLead['previous'] | null>(null)
  const reasons = account?.lost_reasons ?? []
  // Also one that is no longer offered.
  const reasonChoices = [
    { value: '', label: t`No reason` },
    ...[...new Set([...reasons, lead.lost_reason ?? ''])].filter(Boolean).map((value) => ({ value, label: value })),
  ]
  const saveReason = (reason: string, first?: ChangedLead['previous']) =>
    set({ lost_reason: reason || null }, t`Lost reason`, reason || null, first)

  return (
    <div>
      <ChoiceField
        label={t`Status`}
        value={lead.status}
        choices={statuses}
        shortcut="s"
        save={async (chosen) => {
          const status = chosen as Lead['status']
          const previous = await set({ status }, t`Status`, statusNames[status])
          setBeforeLost(status === 'Lost' ? previous : null)
        }}
      />
      {lead.status === 'Lost' && (reasons.length > 0 || lead.lost_reason !== null) && (
        <ChoiceField
          label={t`Lost reason`}
          value={lead.lost_reason ?? ''}
          choices={reasonChoices}
          save={(reason) => saveReason(reason)}
        />
      )}
      <LostReasonDialog
        opened={beforeLost !== null && lead.status === 'Lost' && reasons.length > 0}
        question={t`Why was ${{ leadName: lead.name }} lost?`}
        reasons={reasons}
        onChoose={(reason) => {
          setBeforeLost(null)
          if (reason) void saveReason(reason, beforeLost!)
        }}
        onClose={() => setBeforeLost(null)}
      />
      <Assignee lead={lead} users={choices?.people ?? []} />
      <CallAgainField
        value={lead.call_again_at}
        reason={lead.no_next_step}
        save={(call_again_at) => set({ call_again_at }, t`Call again`, call_again_at && formatDateTime(call_again_at))}
      />
      <MoneyField
        label={t`Deal value`}
        value={lead.deal_value}
        save={(deal_value) => set({ deal_value }, t`Deal value`, deal_value === null ? null : formatMoney(deal_value))}
      />
      <DateField
        label={t`Expected closing`}
        value={lead.expected_close}
        save={(expected_close) =>
          set({ expected_close }, t`Expected closing`, expected_close && formatIsoDate(expected_close))
        }
      />
      <ChoiceField
        label={t`Priority`}
        value={lead.priority}
        choices={priorities}
        save={(chosen) => {
          const priority = chosen as Lead['priority']
          return set({ priority }, t`Priority`, priorityNames[priority])
        }}
      />
    </div>
  )
}

const unassigned = { value: '', label: t`Unassigned` }

/** Users who see only their own leads cannot reassign them. */
function Assignee({ lead, users }: { lead: LeadInFull; users: LeadChoices['people'] }) {
  const { mutateAsync } = useChangeLead(lead)
  const isAdmin = useIsAdmin()
  const { withState } = useUserStates()
  const now = { value: lead.assigned_to ?? '', label: lead.assigned_name ?? lead.assigned_to ?? unassigned.label }
  const others = users
    .filter(({ active, email }) => active && email !== lead.assigned_to)
    .map(({ id, name, email }) => ({ value: email, label: withState(name, id) }))
  const choices = [...(isAdmin && lead.assigned_to ? [unassigned] : []), now, ...others]

  if (choices.length === 1) return <ReadOnlyField label={t`Owner`}>{now.label}</ReadOnlyField>
  return (
    <ChoiceField
      label={t`Owner`}
      value={now.value}
      choices={choices}
      shortcut="o"
      save={(email) => {
        const name = email ? (users.find((user) => user.email === email)?.name ?? email) : unassigned.label
        return mutateAsync({ change: { assigned_to: email || null }, message: t`Owner changed to ${name}` })
      }}
    />
  )
}
