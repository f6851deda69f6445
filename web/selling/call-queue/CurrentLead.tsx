import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Text, Title } from '@mantine/core'
import { IconMail, IconPhone, IconPhonePlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { QueuedLead } from '#contract/selling/call-queue'
import { formatPhone, phoneUrl, usePhonePlans } from '../../crm/contacts/phone.ts'
import { EnquiryBrief } from '../../crm/enquiries/EnquiryBrief.tsx'
import { bottomBar } from '../../platform/ui/keep-room.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { useNarrow } from '../../platform/ui/screen-size.ts'
import { type CallInProgress, openCallForm, startCall } from '../../telephony/calls/call-in-progress.ts'
import { WhatsAppButton } from '../../telephony/quick-replies/WhatsAppButton.tsx'
import { useLeadKeys } from '../lead-page/lead-keys.ts'
import styles from './CallQueue.module.css'
import { LeadFacts } from './LeadFacts.tsx'
import { Reason } from './reasons.tsx'
import { useLeadNow } from './use-lead-now.ts'
import { useTypingPause } from './use-typing-pause.ts'

/** The name of a lead, and why it is in the queue, or that it has left it. */
export function LeadHead({ lead, isGone }: { lead: QueuedLead | CallInProgress['lead']; isGone: boolean }) {
  return (
    <header>
      <Title order={2} size="h1">
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={styles.name}>
          {lead.name}
        </Link>
      </Title>
      {'reason' in lead && !isGone && (
        <Text c="dimmed">
          <Reason lead={lead} />
        </Text>
      )}
      {isGone && (
        <Text role="status">
          <Trans>This lead has left the queue: it was called, changed or reassigned.</Trans>
        </Text>
      )}
    </header>
  )
}

interface Props {
  lead: QueuedLead
  /** It left the queue meanwhile. */
  isGone: boolean
  /** The last call was logged by a key, and the user may type on: no key acts on this lead until they pause. */
  typesOn: boolean
  onPause(): void
  onSkip: (() => void) | undefined
  /** The user no longer sees it. */
  onLost(): void
}

/** The lead to call now, with all that is to be known before the call. */
export function CurrentLead({ lead, isGone, typesOn, onPause, onSkip, onLost }: Props) {
  usePhonePlans()
  const { phone, email } = lead
  const first = useRef<HTMLAnchorElement>(null)
  const onPhone = useNarrow()
  useTypingPause(typesOn, onPause)
  useEffect(() => {
    // Enter calls.
    if (!typesOn) first.current?.focus({ preventScroll: true })
  }, [typesOn])
  const { now, isLost } = useLeadNow(lead, isGone)
  const lose = useEffectEvent(() => {
    notify(t`${{ name: lead.name }} was reassigned or deleted`)
    onLost()
  })
  useEffect(() => {
    if (isLost) lose()
  }, [isLost])
  useLeadKeys({ c: () => first.current?.click(), x: () => onSkip?.() })

  return (
    <>
      <LeadHead lead={now} isGone={isGone} />
      <EnquiryBrief leadId={lead.id} enquiry={lead.enquiry} />
      <section className={styles.actions} ref={onPhone ? bottomBar : null}>
        {isGone && onSkip && (
          <Button size="md" onClick={onSkip}>
            <Trans>Next lead</Trans>
          </Button>
        )}
        {phone ? (
          <Button
            ref={first}
            component="a"
            href={phoneUrl(phone)}
            size="md"
            variant={isGone ? 'default' : 'filled'}
            leftSection={<IconPhone size={18} aria-hidden />}
            onClick={() => startCall(lead)}
          >
            {t`Call ${{ number: formatPhone(phone) }}`}
          </Button>
        ) : (
          <Button
            ref={first}
            component="a"
            href={`mailto:${email}`}
            size="md"
            variant={isGone ? 'default' : 'filled'}
            leftSection={<IconMail size={18} aria-hidden />}
          >
            {t`Email ${{ name: lead.name }}`}
          </Button>
        )}
        <WhatsAppButton lead={lead} size="md" />
        <Button
          size="md"
          variant="default"
          leftSection={<IconPhonePlus size={18} aria-hidden />}
          onClick={() => openCallForm(lead)}
        >
          <Trans>Log call</Trans>
        </Button>
        {!isGone && onSkip && (
          <Button size="md" variant="subtle" color="gray" onClick={onSkip}>
            <Trans>Skip</Trans>
          </Button>
        )}
      </section>
      <LeadFacts lead={now} />
    </>
  )
}
