import type { ReactNode } from 'react'
import { type LeadInFull, newTags } from '#contract/leads'
import { formatPhone } from '../contacts/phone.ts'
import { formatCount } from '../ui/numbers.ts'
import styles from './Duplicates.module.css'

/** What needs no choice: contacts, tags, notes and history of both leads are kept. */
export function KeptOfBoth({ kept, other }: { kept: LeadInFull; other: LeadInFull }) {
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
      <Row label="Contacts">{[...new Set(contacts.filter(Boolean))].join(' · ')}</Row>
      {tags.length > 0 && <Row label="Tags">{tags.join(' · ')}</Row>}
      {notes > 0 && <Row label="Notes">{notes === 2 ? 'Both, one below the other' : 'Kept'}</Row>}
      <Row label="History">
        {formatCount(calls, 'call')} · {formatCount(entries, 'timeline entry', 'timeline entries')}
      </Row>
    </>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.choice}>
      <span className={styles.label}>{label} of both</span>
      <div className={styles.both}>{children}</div>
    </div>
  )
}
