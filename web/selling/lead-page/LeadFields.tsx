import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import {
  type Lead,
  type LeadChange,
  leadPriorities,
  leadStatuses,
  maxTagLength,
  maxTags,
  textFieldNames,
  textFields,
} from '#contract/crm/leads'
import { useIsAdmin } from '../../access/account/me.ts'
import { accountQuery } from '../../access/account/queries.ts'
import { PriorityBadge, StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { leadFieldName, priorityNames, statusNames } from '../../crm/leads/lead-words.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { formatMoney } from '../../platform/ui/numbers.ts'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { formatDateTime } from '../../platform/ui/time.ts'
import { CallAgainField } from './CallAgainField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { ContactFields } from './ContactFields.tsx'
import { ReadOnlyField } from './Field.tsx'
import { ListField } from './ListField.tsx'
import { LostReasonDialog } from './LostReasonDialog.tsx'
import { MoneyField } from './MoneyField.tsx'
import { TextField } from './TextField.tsx'
import { tagsChange, useChangeLead } from './use-change-lead.ts'

const statuses = leadStatuses.map((value) => ({
  value,
  label: statusNames[value],
  shown: <StatusBadge status={value} />,
}))
const priorities = leadPriorities
  .map((value) => ({ value, label: priorityNames[value], shown: <PriorityBadge priority={value} /> }))
  .reverse()

export function LeadFields({ lead }: { lead: LeadInFull }) {
  const { mutateAsync } = useChangeLead(lead)
  const { data: choices } = useQuery(choicesQuery)
  const set = (change: LeadChange, field: string, value: string | null) =>
    mutateAsync({ change, message: value ? t`${field} changed to ${value}` : t`${field} removed` })

  const { data: account } = useQuery(accountQuery)
  const [asking, setAsking] = useState(false)
  const reasons = account?.lost_reasons ?? []
  // Also one that is no longer offered.
  const reasonChoices = [
    { value: '', label: t`No reason` },
    ...[...new Set([...reasons, lead.lost_reason ?? ''])].filter(Boolean).map((value) => ({ value, label: value })),
  ]
  const saveReason = (reason: string) => set({ lost_reason: reason || null }, t`Lost reason`, reason || null)

  return (
    <div>
      <ChoiceField
        label={t`Status`}
        value={lead.status}
        choices={statuses}
        shortcut="s"
        save={async (chosen) => {
          const status = chosen as Lead['status']
          await set({ status }, t`Status`, statusNames[status])
          setAsking(status === 'Lost')
        }}
      />
      {lead.status === 'Lost' && (reasons.length > 0 || lead.lost_reason !== null) && (
        <ChoiceField label={t`Lost reason`} value={lead.lost_reason ?? ''} choices={reasonChoices} save={saveReason} />
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
        label={t`Priority`}
        value={lead.priority}
        choices={priorities}
        save={(chosen) => {
          const priority = chosen as Lead['priority']
          return set({ priority }, t`Priority`, priorityNames[priority])
        }}
      />
      <Assignee lead={lead} users={choices?.people ?? []} />
      <CallAgainField
        value={lead.call_again_at}
        save={(call_again_at) => set({ call_again_at }, t`Call again`, call_again_at && formatDateTime(call_again_at))}
      />
      <ContactFields lead={lead} />
      {textFieldNames.map((name) => {
        const label = leadFieldName(name)
        const save = (text: string | null) => set({ [name]: text }, label, text)
        return (
          <TextField key={name} label={label} value={lead[name]} maxLength={textFields[name].maxLength} save={save} />
        )
      })}
      <MoneyField
        label={t`Deal value`}
        value={lead.deal_value}
        save={(deal_value) => set({ deal_value }, t`Deal value`, deal_value === null ? null : formatMoney(deal_value))}
      />
      <ListField
        label={t`Tags`}
        value={lead.tags}
        maxItems={maxTags}
        maxLength={maxTagLength}
        save={(tags, before) =>
          mutateAsync({
            change: tagsChange(before, tags),
            message: tags.length > 0 ? t`Tags changed to ${{ tags: tags.join(', ') }}` : t`Tags removed`,
          })
        }
      />
      <TextField
        label={t`Source`}
        value={lead.source}
        suggestions={choices?.sources ?? []}
        needed={t`A lead needs a source.`}
        save={(source) => set({ source: source ?? '' }, t`Source`, source)}
      />
      <ReadOnlyField label={t`Created`}>
        <Timestamp at={lead.created_at} />
      </ReadOnlyField>
      <ReadOnlyField label={t`Updated`}>
        <Timestamp at={lead.updated_at} />
      </ReadOnlyField>
    </div>
  )
}

const unassigned = { value: '', label: t`Unassigned` }

/** Users who see only their own leads cannot reassign them. */
function Assignee({ lead, users }: { lead: LeadInFull; users: { name: string; email: string; active: boolean }[] }) {
  const { mutateAsync } = useChangeLead(lead)
  const isAdmin = useIsAdmin()
  const now = { value: lead.assigned_to ?? '', label: lead.assigned_name ?? lead.assigned_to ?? unassigned.label }
  const others = users
    .filter(({ active, email }) => active && email !== lead.assigned_to)
    .map(({ name, email }) => ({ value: email, label: name }))
  const choices = [...(isAdmin && lead.assigned_to ? [unassigned] : []), now, ...others]

  if (choices.length === 1) return <ReadOnlyField label={t`Owner`}>{now.label}</ReadOnlyField>
  return (
    <ChoiceField
      label={t`Owner`}
      value={now.value}
      choices={choices}
      shortcut="o"
      save={(email) => {
        const name = choices.find(({ value }) => value === email)?.label ?? email
        return mutateAsync({ change: { assigned_to: email || null }, message: t`Owner changed to ${name}` })
      }}
    />
  )
}
