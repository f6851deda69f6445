import { Button, EmptyState, Select, Skeleton, Text, Title, UnstyledButton } from '@mantine/core'
import { IconMail, IconPhone, IconPhoneCheck, IconPhonePlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type CallQueue, maxCounted, type QueuedLead, type QueueReason, queueReasons } from '#contract/call-queue'
import { CallForm } from '../calls/CallForm.tsx'
import { type CallInProgress, openCallForm, startCall, useCallsInProgress } from '../calls/call-in-progress.ts'
import { formatPhone, phoneUrl } from '../contacts/phone.ts'
import { StatusBadge } from '../leads/LeadBadges.tsx'
import { useLeadKeys } from '../leads/lead/lead-keys.ts'
import { useMe } from '../me.ts'
import { WhatsAppButton } from '../quick-replies/WhatsAppButton.tsx'
import { formatCount } from '../ui/numbers.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import { usersQuery } from '../users.ts'
import styles from './CallQueue.module.css'
import { queueQuery } from './queries.ts'
import { useSkips } from './skips.ts'
import { useTypingPause } from './use-typing-pause.ts'

const route = getRouteApi('/signed-in/queue')

const reasonWords: Record<QueueReason, { one: string; many: string }> = {
  new: { one: 'New, uncalled', many: 'new' },
  missed: { one: 'Missed call', many: 'missed' },
  due: { one: 'Call again', many: 'due' },
  not_reached: { one: 'Not reached', many: 'not reached' },
  never_called: { one: 'Never called', many: 'never called' },
}

/** The leads to call next, one at a time. */
export function CallQueuePage() {
  const { of } = route.useSearch()
  const { data: queue, error, refetch } = useQuery(queueQuery(of))
  const call = useCallsInProgress().at(-1)
  const [chosen, setChosen] = useState<string | null>(null)
  const [typesOn, setTypesOn] = useState(false)
  const { ordered, addSkip } = useSkips(queue?.leads ?? [])

  const current = ordered.find(({ id }) => id === chosen) ?? ordered[0]
  const called = call && queue?.leads.find(({ id }) => id === call.lead.id)
  // What comes first later does not replace the lead that is shown: the user may be about to call.
  const shown = current?.id ?? null
  useEffect(() => {
    if (shown !== chosen) setChosen(shown)
  }, [shown, chosen])
  const others = ordered.filter(({ id }) => id !== current?.id)
  const skip = (lead: QueuedLead) => {
    addSkip(lead)
    setChosen(null)
  }

  return (
    <Page title="Call next" actions={<OwnerChoice of={of} />}>
      {error && !queue ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !queue ? (
        <Skeleton height={240} maw={720} />
      ) : !current && !call ? (
        <EmptyState
          py={64}
          icon={<IconPhoneCheck />}
          title="No one to call"
          description="New leads, missed calls, calls that are due, and leads that were not reached or never called appear here."
        >
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" />}>
            Open leads
          </Button>
        </EmptyState>
      ) : (
        <div className={styles.split}>
          <section className={styles.current} aria-label="Next lead">
            <Counts counts={queue.counts} />
            {call ? (
              <CallForm
                key={call.key}
                call={call}
                inline
                head={<Head lead={called ?? call.lead} />}
                onLogged={({ byKey }) => {
                  setTypesOn(byKey)
                  // A missed call stays in the queue until somebody speaks with the lead: others are next.
                  if (called) skip(called)
                }}
              />
            ) : current ? (
              <CurrentLead
                key={current.id}
                lead={current}
                typesOn={typesOn}
                onPause={() => setTypesOn(false)}
                onSkip={others.length > 0 ? () => skip(current) : undefined}
              />
            ) : null}
          </section>
          {!call && others.length > 0 && (
            <section aria-label="Then">
              <Title order={2} mb={8}>
                Then
              </Title>
              <ul className={styles.others}>
                {others.map((lead) => (
                  <li key={lead.id}>
                    <UnstyledButton className={styles.other} onClick={() => setChosen(lead.id)}>
                      <span className={styles.otherName}>{lead.name}</span>
                      <Text span size="xs" c="dimmed">
                        <Reason lead={lead} />
                      </Text>
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
    </Page>
  )
}

/** Managers and Admins open the queues of others, too. */
function OwnerChoice({ of }: { of: string | undefined }) {
  const { role, email } = useMe()
  const navigate = route.useNavigate()
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: role !== 'Agent' })
  if (role === 'Agent') return null
  return (
    <Select
      aria-label="Owner"
      data={[
        { value: email, label: 'My leads' },
        ...users.filter((user) => user.email !== email).map((user) => ({ value: user.email, label: user.name })),
      ]}
      value={of ?? email}
      onChange={(owner) => void navigate({ search: { of: owner === email ? undefined : (owner ?? undefined) } })}
      allowDeselect={false}
      searchable={users.length > 8}
      w={200}
    />
  )
}

function Counts({ counts }: Pick<CallQueue, 'counts'>) {
  const shown = queueReasons.filter((reason) => counts[reason] > 0)
  const amount = (n: number) => (n >= maxCounted ? `${maxCounted}+` : n)
  return (
    <Text c="dimmed" size="sm" mb={8}>
      {shown.map((reason) => `${amount(counts[reason])} ${reasonWords[reason].many}`).join(' · ')}
    </Text>
  )
}

function Reason({ lead: { reason, since, last_call_outcome, attempts } }: { lead: QueuedLead }) {
  return (
    <>
      {reasonWords[reason].one} · {reason === 'due' && 'due '}
      <Timestamp at={since} short />
      {reason === 'not_reached' && ` · ${last_call_outcome}, ${formatCount(attempts, 'attempt')}`}
    </>
  )
}

function Head({ lead }: { lead: QueuedLead | CallInProgress['lead'] }) {
  return (
    <header>
      <Title order={2} size="h1">
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={styles.name}>
          {lead.name}
        </Link>
      </Title>
      {'reason' in lead && (
        <Text c="dimmed">
          <Reason lead={lead} />
        </Text>
      )}
    </header>
  )
}

interface CurrentLeadProps {
  lead: QueuedLead
  /** The last call was logged by a key, and the user may type on: no key acts on this lead until they pause. */
  typesOn: boolean
  onPause(): void
  onSkip: (() => void) | undefined
}

function CurrentLead({ lead, typesOn, onPause, onSkip }: CurrentLeadProps) {
  const { phone, email, company, city, source, status, notes } = lead
  const first = useRef<HTMLAnchorElement>(null)
  useTypingPause(typesOn, onPause)
  useEffect(() => {
    // Enter calls.
    if (!typesOn) first.current?.focus({ preventScroll: true })
  }, [typesOn])
  useLeadKeys({ c: () => first.current?.click(), x: () => onSkip?.() })

  return (
    <>
      <Head lead={lead} />
      <div className={styles.actions}>
        {phone ? (
          <Button
            ref={first}
            component="a"
            href={phoneUrl(phone)}
            size="md"
            leftSection={<IconPhone size={18} aria-hidden />}
            onClick={() => startCall(lead)}
          >
            Call {formatPhone(phone)}
          </Button>
        ) : (
          <Button
            ref={first}
            component="a"
            href={`mailto:${email}`}
            size="md"
            leftSection={<IconMail size={18} aria-hidden />}
          >
            Email {lead.name}
          </Button>
        )}
        <WhatsAppButton lead={lead} size="md" />
        <Button
          size="md"
          variant="default"
          leftSection={<IconPhonePlus size={18} aria-hidden />}
          onClick={() => openCallForm(lead)}
        >
          Log call
        </Button>
        {onSkip && (
          <Button size="md" variant="subtle" color="gray" onClick={onSkip}>
            Skip
          </Button>
        )}
      </div>
      <dl className={styles.facts}>
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Source">{source}</Fact>
        {company && <Fact name="Company">{company}</Fact>}
        {city && <Fact name="City">{city}</Fact>}
        {email && phone && <Fact name="Email">{email}</Fact>}
        {notes && (
          <Fact name="Notes">
            <span className={styles.notes}>{notes}</span>
          </Fact>
        )}
      </dl>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
