import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { type LeadInFull, newTags } from '#contract/crm/leads'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import styles from './Duplicates.module.css'

/** What needs no choice: contacts, tags, notes and history of both leads are kept. */
export function KeptOfBoth({ kept, other }: { kept: LeadInFull; other: LeadInFull }) {
  usePhonePlans()
  const leads = [kept, other]
  const contacts = leads.flatMap(({ phone, email, other_contacts }) => [
    phone && formatPhone(phone),
    email,
    ...other_contacts.map(({ kind, value }) => (kind === 'phone' ? formatPhone(value) : value)),
  ])
  const tags = [...kept.tags, ...newTags(kept.tags, other.tags)]
  const notes = leads.filter((lead) => lead.notes !== null).length
  const calls = kept.calls.total + other.calls.total
  const entries = kept.timeline.total + other.timeline.total
  return (
    <>
      <Row label={t`Contacts of both`}>{[...new Set(contacts.filter(Boolean))].join(' · ')}</Row>
      {tags.length > 0 && <Row label={t`Tags of both`}>{tags.join(' · ')}</Row>}
      {notes > 0 && <Row label={t`Notes of both`}>{notes === 2 ? t`Both, one below the other` : t`Kept`}</Row>}
      <Row label={t`History of both`}>
        {plural(calls, { one: '# call', other: '# calls' })} ·{' '}
        {plural(entries, { one: '# timeline entry', other: '# timeline entries' })}
      </Row>
    </>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.choice}>
      <span className={styles.label}>{label}</span>
      <div className={styles.both}>{children}</div>
    </div>
  )
}
