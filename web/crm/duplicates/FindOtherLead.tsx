import { t } from '@lingui/core/macro'
import { Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LeadInFull } from '#contract/crm/leads'
import { Modal } from '../../platform/ui/Dialog.tsx'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import { StatusBadge } from '../leads/LeadBadges.tsx'
import { useFoundLeads } from '../leads/use-found-leads.ts'
import styles from './Duplicates.module.css'

interface Props {
  lead: LeadInFull
  opened: boolean
  onClose(): void
}

/** Finds the lead with which a lead is compared and merged. */
export function FindOtherLead({ lead, opened, onClose }: Props) {
  usePhonePlans()
  const [typed, setTyped] = useState('')
  const found = useFoundLeads(typed)
  const others = found.leads.filter(({ id }) => id !== lead.id)
  const note =
    found.problem ?? (typed.trim() === '' || others.length > 0 ? '' : found.isSettled ? t`No matches` : t`Searching…`)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setTyped('')}
      title={t`Merge ${{ name: lead.name }} with another lead`}
    >
      <TextInput
        label={t`Other lead`}
        placeholder={t`Name, company, phone or email`}
        description={t`You compare both leads first.`}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Text role="status" size="sm" c="dimmed" mih={28} pt={8}>
        {note}
      </Text>
      <ul className={styles.found} aria-label={t`Leads`}>
        {others.map(({ id, name, status, phone, email, company, city }) => (
          <li key={id}>
            <Link
              to="/leads/merge"
              search={{ keep: lead.id, other: id }}
              className={styles.foundLead}
              onClick={onClose}
            >
              <span className={styles.name}>{name}</span>
              <StatusBadge status={status} />
              <span className={styles.detail}>
                {[phone === null ? email : formatPhone(phone), company, city].filter(Boolean).join(' · ')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
