import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadInFull } from '#contract/leads'
import {
  type Lead,
  type LeadChange,
  leadFields,
  leadPriorities,
  leadStatuses,
  longestTag,
  maxTags,
  textFieldNames,
  textFields,
} from '#contract/leads'
import { accountQuery } from '../../account/queries.ts'
import { useIsAdmin } from '../../me.ts'
import { formatMoney } from '../../ui/numbers.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { formatDateTime } from '../../ui/time.ts'
import { PriorityBadge, StatusBadge } from '../LeadBadges.tsx'
import { choicesQuery } from '../queries.ts'
import { CallAgainField } from './CallAgainField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { ContactFields } from './ContactFields.tsx'
import { ReadOnlyField } from './Field.tsx'
import { ListField } from './ListField.tsx'
import { LostReasonDialog } from './LostReasonDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { TextField } from './TextField.tsx'
import { tagsChange, useChangeLead } from './use-change-lead.ts'

const statuses = leadStatuses.map((value) => ({ value, label: value, shown: <StatusBadge status={value} /> }))
const priorities = leadPriorities
  .map((value) => ({ value, label: value, shown: <PriorityBadge priority={value} /> }))
  .reverse()

export function LeadFields({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  const { data: choices } = useQuery(choicesQuery)
  const set = (change: LeadChange, label: string, text: string | null) =>
    mutateAsync({ change, message: text ? `${label} changed to ${text}` : `${label} removed` })

  const { data: account } = useQuery(accountQuery)
  const [asking, setAsking] = useState(false)
  const reasons = account?.lost_reasons ?? []
  // Also one that is no longer offered.
  const reasonChoices = [
    { value: '', label: 'No reason' },
    ...[...new Set([...reasons, lead.lost_reason ?? ''])].filter(Boolean).map((value) => ({ value, label: value })),
  ]
  const saveReason = (reason: string) => set({ lost_reason: reason || null }, 'Lost reason', reason || null)

  return (
    <div>
      <ChoiceField
        label="Status"
        value={lead.status}
        choices={statuses}
        shortcut="s"
        save={async (status) => {
          await set({ status: status as Lead['status'] }, 'Status', status)
          setAsking(status === 'Lost')
        }}
      />
      {lead.status === 'Lost' && (reasons.length > 0 || lead.lost_reason !== null) && (
        <ChoiceField label="Lost reason" value={lead.lost_reason ?? ''} choices={reasonChoices} save={saveReason} />
      )}
      {asking && (
        <LostReasonDialog
          leadName={lead.name}
          onChoose={(reason) => {
            setAsking(false)
            void saveReason(reason)
          }}
          onClose={() => setAsking(false)}
        />
      )}
      <ChoiceField
        label="Priority"
        value={lead.priority}
        choices={priorities}
        save={(priority) => set({ priority: priority as Lead['priority'] }, 'Priority', priority)}
      />
      <Assignee lead={lead} users={choices?.people ?? []} />
      <CallAgainField
        value={lead.call_again_at}
        save={(call_again_at) => set({ call_again_at }, 'Call again', call_again_at && formatDateTime(call_again_at))}
      />
      <ContactFields lead={lead} />
      {textFieldNames.map((name) => {
        const { label, longest } = textFields[name]
        const save = (text: string | null) => set({ [name]: text }, label, text)
        return <TextField key={name} label={label} value={lead[name]} maxLength={longest} save={save} />
      })}
      <MoneyField
        label="Deal value"
        value={lead.deal_value}
        save={(deal_value) => set({ deal_value }, 'Deal value', deal_value === null ? null : formatMoney(deal_value))}
      />
      <ListField
        label="Tags"
        value={lead.tags}
        maxItems={maxTags}
        maxLength={longestTag}
        save={(tags, before) =>
          mutateAsync({
            change: tagsChange(before, tags),
            message: tags.length > 0 ? `Tags changed to ${tags.join(', ')}` : 'Tags removed',
          })
        }
      />
      <TextField
        label="Source"
        value={lead.source}
        suggestions={choices?.sources ?? []}
        needed="A lead needs a source."
        save={(source) => set({ source: source ?? '' }, 'Source', source)}
      />
      <ReadOnlyField label="Created">
        <Timestamp at={lead.created_at} />
      </ReadOnlyField>
      <ReadOnlyField label="Updated">
        <Timestamp at={lead.updated_at} />
      </ReadOnlyField>
    </div>
  )
}

const unassigned = { value: '', label: 'Unassigned' }

/** Users who see only their own leads cannot reassign them. */
function Assignee({ lead, users }: { lead: LeadInFull; users: { name: string; email: string; active: boolean }[] }) {
  const { mutateAsync } = useChangeLead(lead)
  const isAdmin = useIsAdmin()
  const now = { value: lead.assigned_to ?? '', label: lead.assigned_name ?? lead.assigned_to ?? unassigned.label }
  const others = users
    .filter(({ active, email }) => active && email !== lead.assigned_to)
    .map(({ name, email }) => ({ value: email, label: name }))
  const choices = [...(isAdmin && lead.assigned_to ? [unassigned] : []), now, ...others]

  if (choices.length === 1) return <ReadOnlyField label={leadFields.assigned_to.label}>{now.label}</ReadOnlyField>
  return (
    <ChoiceField
      label={leadFields.assigned_to.label}
      value={now.value}
      choices={choices}
      shortcut="o"
      save={(email) => {
        const name = choices.find(({ value }) => value === email)?.label ?? email
        return mutateAsync({ change: { assigned_to: email || null }, message: `Owner changed to ${name}` })
      }}
    />
  )
}
