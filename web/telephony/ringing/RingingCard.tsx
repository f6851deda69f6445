import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text, Title } from '@mantine/core'
import { IconPhone, IconPhoneCheck, IconPhoneIncoming, IconPhoneOutgoing, IconPhoneX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { enquiryLine } from '#contract/crm/enquiries'
import type { UnseenLead } from '#contract/crm/leads'
import type { RingingCall, RingingLead } from '#contract/telephony/ringing'
import { PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { formatPhone, usePhonePlans } from '../../crm/contacts/phone.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { formatDuration } from '../../platform/ui/time.ts'
import { CallOutcomeBadge } from '../calls/CallBadges.tsx'
import { startCall } from '../calls/call-in-progress.ts'
import { callName, callTitle } from './call-texts.ts'
import { EndedCallForm } from './EndedCallForm.tsx'
import { isToLog } from './queries.ts'
import styles from './RingingCalls.module.css'

/** One call: who it is, what they want, and the way to their lead. */
export function RingingCard({ call, onDismiss }: { call: RingingCall; onDismiss(): void }) {
  usePhonePlans()
  const { state, lead, unseen_lead, phone, owner, answered_at } = call
  const title = callTitle(call)
  const name = callName(call)
  const number = lead?.phone ?? phone
  const isForm = isToLog(call)
  const buttons = (
    <>
      {lead && (
        <Button
          size="sm"
          variant={isForm ? 'default' : 'filled'}
          renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: lead.id }} />}
        >
          <Trans>Open lead</Trans>
        </Button>
      )}
      <Button size="sm" variant="default" onClick={onDismiss}>
        <Trans>Dismiss</Trans>
      </Button>
    </>
  )
  return (
    <article
      className={styles.card}
      aria-label={`${title}: ${name}`}
      data-state={state}
      data-own-escape
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        // What is typed there would be lost.
        if ((event.target as Element).matches('textarea')) return
        event.preventDefault()
        onDismiss()
      }}
    >
      <Group gap={8} wrap="nowrap" className={styles.title}>
        <Sign call={call} />
        <Text size="xs" fw={600}>
          {title}
        </Text>
        {state === 'answered' && answered_at && <RunningTime since={answered_at} />}
      </Group>
      <Title order={2} className={styles.name}>
        {name}
      </Title>
      <Text size="sm" c="dimmed">
        {lead
          ? number && <PhoneNumber lead={lead} number={number} isLink={state === 'ended'} />
          : owner && t`Owner: ${owner}`}
      </Text>
      {unseen_lead && <Unseen lead={unseen_lead} />}
      {isForm ? (
        <div className={styles.form}>
          <EndedCallForm callLogId={call.call_log_id!} lead={lead!} onSaved={onDismiss}>
            {buttons}
          </EndedCallForm>
        </div>
      ) : (
        <>
          {lead && <Wants lead={lead} />}
          <Group gap={8} mt={8}>
            {buttons}
          </Group>
        </>
      )}
    </article>
  )
}

function Unseen({ lead: { product, source, city } }: { lead: UnseenLead }) {
  const facts = [source, city].filter((part) => part !== null)
  return (
    <>
      {product && <p className={styles.wanted}>{product}</p>}
      {facts.length > 0 && <span className={styles.source}>{facts.join(' · ')}</span>}
    </>
  )
}

/** To call back. While somebody calls, a press on it by mistake would start another call. */
function PhoneNumber({ lead: { id, name }, number, isLink }: { lead: RingingLead; number: string; isLink: boolean }) {
  return isLink ? <PhoneLink number={number} onCall={() => startCall({ id, name })} /> : formatPhone(number)
}

function Sign({ call: { state, call_type, duration_seconds } }: { call: RingingCall }) {
  if (state === 'answered') return <IconPhone size={16} aria-hidden color="var(--green)" />
  if (state === 'ended' && !duration_seconds) return <IconPhoneX size={16} aria-hidden color="var(--red)" />
  if (state === 'ended') return <IconPhoneCheck size={16} aria-hidden color="var(--green)" />
  const Direction = call_type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing
  return <Direction size={16} aria-hidden color="var(--mantine-color-anchor)" className={styles.ringing} />
}

/** What the lead asked for, its status, source and city, what was noted last, and the last call. */
function Wants({ lead: { enquiry, status, source, city, last_note, last_call } }: { lead: RingingLead }) {
  // The last note may be the message.
  const wanted = enquiry && enquiryLine({ ...enquiry, message: null })
  return (
    <>
      {wanted && <p className={styles.wanted}>{wanted}</p>}
      <Group gap={8} className={styles.facts}>
        <StatusBadge status={status} />
        <span className={styles.source}>{city ? `${source} · ${city}` : source}</span>
      </Group>
      {last_note && <p className={styles.note}>{last_note}</p>}
      {last_call && (
        <Group gap={8} className={styles.facts}>
          <CallOutcomeBadge outcome={last_call.outcome} />
          <Timestamp short at={last_call.called_at} />
          {last_call.notes && <span className={styles.source}>{last_call.notes}</span>}
        </Group>
      )}
    </>
  )
}

/** Readers of the screen say it when they are asked to, not every second. */
function RunningTime({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="xs" role="timer">
      {formatDuration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000)))}
    </Text>
  )
}
