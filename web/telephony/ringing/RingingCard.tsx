import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Group, Text, Title, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconPhone,
  IconPhoneCheck,
  IconPhoneIncoming,
  IconPhoneOutgoing,
  IconPhonePlus,
  IconPhoneX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { enquiryLine } from '#contract/crm/enquiries'
import type { UnseenLead } from '#contract/crm/leads'
import type { RingingCall, RingingLead } from '#contract/telephony/ringing'
import { PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { formatPhone, phoneUrl, usePhonePlans } from '../../crm/contacts/phone.ts'
import { StatusBadge } from '../../crm/leads/LeadBadges.tsx'
import { Timestamp } from '../../platform/ui/Timestamp.tsx'
import { formatDuration } from '../../platform/ui/time.ts'
import { CallOutcomeBadge } from '../calls/CallBadges.tsx'
import { CallForm } from '../calls/CallForm.tsx'
import { callDrafts } from '../calls/call-draft.ts'
import { type CallInProgress, startCall } from '../calls/call-in-progress.ts'
import { notesOfLast } from '../calls/call-words.ts'
import { callName, callNumber, callTitle, isUnknown, nameOrNumber } from './call-texts.ts'
import { NoteForm } from './NoteForm.tsx'
import { isEdited, isToLog } from './queries.ts'
import styles from './RingingCalls.module.css'

/** In milliseconds, until a card that is not used becomes small after its call, unless its form is edited. */
const quietMs = 10_000

interface Props {
  call: RingingCall
  /** The card has one line, and keeps its form as it is. */
  isSmall: boolean
  /** One line for several calls says it. */
  isHidden: boolean
  onSmall(isSmall: boolean): void
  onOpen(): void
  onDismiss(): void
}

/** One call: who it is, what they want, and the form of the call, or the way to their lead. */
export function RingingCard({ call, isSmall, isHidden, onSmall, onOpen, onDismiss }: Props) {
  usePhonePlans()
  const { state, lead, unseen_lead, answered_at, is_own } = call
  const title = callTitle(call)
  const number = callNumber(call)
  const toLog = isToLog(call)
  const isForm = toLog || (state === 'answered' && is_own && lead !== null)
  // A form that is open stays, also until the call log is there.
  const [formLead, setFormLead] = useState<RingingLead | null>(null)
  if (isForm && lead !== formLead) setFormLead(lead)
  // A note that is typed stays when the user gets the lead.
  const isNoting = call.may_note || callDrafts.get(call.id) !== undefined
  const isMissed = state === 'ended' && !call.duration_seconds && number !== null
  const card = useRef<HTMLElement>(null)
  const makeSmall = useEffectEvent(() => {
    if (!isEdited(call) && !card.current?.matches(':hover, :focus-within')) onSmall(true)
  })
  const press = (makesSmall: boolean) => {
    onSmall(makesSmall)
    // The button that was pressed goes away.
    card.current?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (state !== 'ended') return
    const timer = setInterval(() => makeSmall(), quietMs)
    return () => clearInterval(timer)
  }, [state])
  return (
    <article
      ref={card}
      id={call.id}
      tabIndex={-1}
      className={styles.card}
      aria-label={`${title}: ${nameOrNumber(call)}`}
      data-done={(state === 'ended' && !toLog) || undefined}
      data-own-escape
      hidden={isHidden}
      onKeyDown={(event) => {
        if (isSmall || event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return
        // What is typed there would be lost.
        if ((event.target as Element).matches('textarea, input')) return
        event.preventDefault()
        onDismiss()
      }}
    >
      {isSmall && (
        <UnstyledButton className={styles.small} onClick={() => press(false)}>
          {toLog ? <IconPhonePlus size={16} aria-hidden color="var(--mantine-color-anchor)" /> : <Sign call={call} />}
          <span className={styles.smallName}>{nameOrNumber(call)}</span>
          <Text size="xs">{toLog ? t`Log call` : title}</Text>
          <IconChevronUp size={16} aria-hidden />
        </UnstyledButton>
      )}
      <div hidden={isSmall}>
        <Group gap={8} wrap="nowrap">
          <Sign call={call} />
          <Text size="xs" fw={600}>
            {title}
          </Text>
          {state === 'answered' && answered_at && <RunningTime since={answered_at} />}
          {state !== 'ringing' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              className={styles.close!}
              aria-label={t`Make small`}
              onClick={() => press(true)}
            >
              <IconChevronDown size={18} />
            </ActionIcon>
          )}
        </Group>
        <Title order={2} className={styles.name}>
          {callName(call)}
        </Title>
        {number && (
          <Text size="sm" c="dimmed">
            <PhoneNumber lead={lead} number={number} isLink={state === 'ended'} />
          </Text>
        )}
        {!lead && (
          <Text size="sm" c="dimmed">
            {ownerText(call)}
          </Text>
        )}
        {unseen_lead && <Unseen lead={unseen_lead} />}
        {lead && !isUnknown(call) && <Wants lead={lead} />}
        {(isNoting || formLead) && (
          <div className={styles.form}>
            {isNoting ? (
              <NoteForm call={call} onSaved={onDismiss} />
            ) : (
              <CallForm
                call={reportedCall(call, formLead!)}
                place="card"
                withName={isUnknown(call)}
                onLogged={onDismiss}
              />
            )}
          </div>
        )}
        <Group gap={8} mt={8}>
          {isMissed && (
            <Button
              size="sm"
              component="a"
              href={phoneUrl(number)}
              leftSection={<IconPhone size={16} aria-hidden />}
              onClick={() => lead && startCall(lead)}
            >
              <Trans>Call back</Trans>
            </Button>
          )}
          {lead && (
            <Button
              size="sm"
              variant={formLead || isMissed ? 'default' : 'filled'}
              renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: lead.id }} />}
              onClick={onOpen}
            >
              <Trans>Open lead</Trans>
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onDismiss}>
            <Trans>Dismiss</Trans>
          </Button>
        </Group>
      </div>
    </article>
  )
}

/** Names the owner of a lead that the user does not see. */
function ownerText({ unseen_lead, owner, is_unassigned, state }: RingingCall): string | null {
  if (is_unassigned) return state === 'ringing' ? t`Unassigned` : t`Unassigned: an Admin assigns it`
  if (owner) return t`Owner: ${owner}`
  return unseen_lead ? t`Belongs to a colleague` : null
}

/** A call that its telephone system reports, for the form: what is logged during the call joins the report. */
function reportedCall(call: RingingCall, lead: RingingLead): CallInProgress {
  const { id, call_type, started_at, answered_at, ended_at } = call
  const startedAt = Date.parse(answered_at ?? started_at)
  return {
    lead,
    call_type,
    startedAt,
    endedAt: ended_at === null ? null : Date.parse(ended_at),
    isFormOpen: true,
    key: id,
  }
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
function PhoneNumber({ lead, number, isLink }: { lead: RingingLead | null; number: string; isLink: boolean }) {
  return isLink && lead ? <PhoneLink number={number} onCall={() => startCall(lead)} /> : formatPhone(number)
}

function Sign({ call: { state, call_type, duration_seconds } }: { call: RingingCall }) {
  if (state === 'answered') return <IconPhone size={16} aria-hidden color="var(--green)" />
  if (state === 'ended' && !duration_seconds) return <IconPhoneX size={16} aria-hidden color="var(--red)" />
  if (state === 'ended') return <IconPhoneCheck size={16} aria-hidden color="var(--green)" />
  const Direction = call_type === 'Inbound' ? IconPhoneIncoming : IconPhoneOutgoing
  return <Direction size={16} aria-hidden color="var(--mantine-color-anchor)" className={styles.ringing} />
}

/** What the lead asked for, its status, source and city, what was noted last, the last call, and what was noted in a call last. */
function Wants({
  lead: { enquiry, status, source, city, last_note, last_call, last_call_notes },
}: {
  lead: RingingLead
}) {
  // The last note may be the message.
  const wanted = enquiry && enquiryLine({ ...enquiry, message: null })
  const ofLast = notesOfLast(last_call_notes, last_call?.called_at ?? null)
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
          <CallOutcomeBadge outcome={last_call.outcome} notes={ofLast} />
          <Timestamp short at={last_call.called_at} />
          {ofLast && <span className={styles.source}>{ofLast}</span>}
        </Group>
      )}
      {last_call_notes && !ofLast && (
        <Group gap={8} className={styles.facts}>
          <Timestamp short at={last_call_notes.called_at} />
          <span className={styles.source}>{last_call_notes.notes}</span>
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
