import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { formatPhone, usePhonePlans } from '../../crm/contacts/phone.ts'
import { useFoundLeads } from '../../crm/leads/use-found-leads.ts'
import { enterOnlyChooses } from '../../platform/ui/enter-only-chooses.ts'

interface Props {
  /** The lead that is chosen at first. */
  lead: { id: string; name: string }
  defaultValue?: string
  onChange?(id: string): void
  error?: string
}

/** Finds a lead by name, phone or email. */
export function LeadChoice({ lead, onChange, ...input }: Props) {
  usePhonePlans()
  const [typed, setTyped] = useState(lead.name)
  const [picked, setPicked] = useState(lead)
  const { leads } = useFoundLeads(typed.trim() === picked.name ? '' : typed)
  const choices = [
    { value: picked.id, label: picked.name },
    ...leads
      .filter(({ id }) => id !== picked.id)
      .map(({ id, name, phone, email }) => ({ value: id, label: name, contact: phone ? formatPhone(phone) : email })),
  ]
  return (
    <Select
      label={t`Lead`}
      data={choices}
      searchable
      {...enterOnlyChooses}
      allowDeselect={false}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server found them.
      filter={({ options }) => options}
      nothingFoundMessage={t`No matches`}
      comboboxProps={{ withinPortal: true }}
      {...input}
      onChange={(id, option) => {
        if (!id || !option) return
        setPicked({ id, name: option.label })
        onChange?.(id)
      }}
    />
  )
}
