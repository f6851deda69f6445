import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconArrowLeft, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListedLead } from '#contract/crm/leads'
import { useMe } from '../access/account/me.ts'
import { formatPhone, usePhonePlans } from '../crm/contacts/phone.ts'
import { StatusBadge } from '../crm/leads/LeadBadges.tsx'
import { type RecentLead, recentLeads } from '../crm/leads/recent-leads.ts'
import { useFoundLeads } from '../crm/leads/use-found-leads.ts'
import { useSessionEnded } from '../platform/api/session.ts'
import { useBackCloses } from '../platform/ui/back-closes.ts'
import styles from './PhoneSearch.module.css'

/**
 * On a phone: finds a lead from any page. A native dialog opens and gets the focus within the tap itself, without which a phone
 * does not show its keyboard.
 */
export function PhoneSearch({ className }: { className: string | undefined }) {
  usePhonePlans()
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [recent, setRecent] = useState<RecentLead[] | null>(null)
  const [typed, setTyped] = useState('')
  const [withLetters, setWithLetters] = useLocalStorage({ key: 'search-with-letters', defaultValue: false })
  const { id } = useMe()
  const navigate = useNavigate()
  const found = useFoundLeads(typed)
  const isEmpty = typed.trim() === ''
  const leads: (RecentLead | ListedLead)[] = isEmpty ? (recent ?? []) : found.leads

  const open = () => {
    setRecent(recentLeads(id))
    dialog.current?.showModal()
    input.current?.focus()
  }
  const close = () => dialog.current?.close()
  useBackCloses(recent !== null, close)
  const sessionEnded = useSessionEnded()
  // A native dialog would cover the one that asks to sign in.
  useEffect(() => {
    if (sessionEnded) dialog.current?.close()
  }, [sessionEnded])
  const switchKeyboard = () => {
    flushSync(() => setWithLetters(!withLetters))
    // A phone changes its keyboard when the field gets the focus.
    input.current?.blur()
    input.current?.focus()
  }
  const openFirst = () => {
    const [lead] = leads
    if (isEmpty || !found.isSettled || !lead) return
    close()
    void navigate({ to: '/leads/$leadId', params: { leadId: lead.id } })
  }

  return (
    <>
      <UnstyledButton className={className} onClick={open} aria-haspopup="dialog">
        <IconSearch size={20} aria-hidden />
        <Trans>Search</Trans>
      </UnstyledButton>
      <dialog
        ref={dialog}
        className={styles.dialog}
        aria-label={t`Find a lead`}
        onClose={() => {
          setRecent(null)
          setTyped('')
        }}
      >
        <form
          className={styles.head}
          onSubmit={(event) => {
            event.preventDefault()
            openFirst()
          }}
        >
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={t`Close`} onClick={close}>
            <IconArrowLeft size={20} />
          </ActionIcon>
          <TextInput
            ref={input}
            className={styles.field}
            aria-label={t`Find a lead`}
            placeholder={withLetters ? t`Name, company, email…` : t`Number or last digits`}
            inputMode={withLetters ? 'text' : 'tel'}
            enterKeyHint="go"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={200}
            size="md"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            variant="default"
            h={42}
            px={12}
            aria-label={withLetters ? t`123: type digits` : t`ABC: type letters`}
            onClick={switchKeyboard}
          >
            {withLetters ? '123' : 'ABC'}
          </Button>
        </form>
        {recent !== null && (
          <div className={styles.results}>
            <Text role="status" size="sm" c="dimmed" className={styles.note}>
              {isEmpty ? recentNote(recent) : (found.problem ?? resultNote(found))}
            </Text>
            <ul className={styles.list} aria-label={isEmpty ? t`Recent leads` : t`Leads`}>
              {leads.map((lead) => (
                <li key={lead.id}>
                  <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={styles.lead} onClick={close}>
                    <span className={styles.name}>{lead.name}</span>
                    {!isEmpty && 'status' in lead && <StatusBadge status={lead.status} />}
                    <span className={styles.contact}>{contactOf(lead)}</span>
                  </Link>
                </li>
              ))}
            </ul>
            {!isEmpty && found.isSettled && found.leads.length === 0 && !found.problem && (
              <Button
                variant="default"
                mx={16}
                leftSection={<IconPlus size={16} aria-hidden />}
                renderRoot={(props) => <Link {...props} to="/leads" search={{ add: typed.trim() }} />}
                onClick={close}
              >
                {t`Add lead “${{ typed: typed.trim() }}”`}
              </Button>
            )}
            {!isEmpty && found.hasMore && (
              <Button
                variant="subtle"
                fullWidth
                renderRoot={(props) => <Link {...props} to="/leads" search={{ search: typed.trim() }} />}
                onClick={close}
              >
                <Trans>Show all matches</Trans>
              </Button>
            )}
          </div>
        )}
      </dialog>
    </>
  )
}

const recentNote = (recent: RecentLead[]) =>
  recent.length > 0
    ? t`Recent leads`
    : t`Type digits of a phone number: the first ones, or the last four and more. Or a name, company, city, tag or email.`

function resultNote({ leads, isSettled }: ReturnType<typeof useFoundLeads>): string {
  if (leads.length > 0) return ''
  return isSettled ? t`No matches` : t`Searching…`
}

const contactOf = ({ phone, email, ...more }: RecentLead & { company?: string | null; city?: string | null }) =>
  [phone ? formatPhone(phone) : email, more.company, more.city].filter(Boolean).join(' · ')
