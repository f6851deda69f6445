import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState, Skeleton, Text, Title, UnstyledButton } from '@mantine/core'
import { IconPhoneCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { QueuedLead } from '#contract/selling/call-queue'
import { EnquiryBrief } from '../../crm/enquiries/EnquiryBrief.tsx'
import { queryClient } from '../../platform/api/query.ts'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow, useTight } from '../../platform/ui/screen-size.ts'
import { CallForm } from '../../telephony/calls/CallForm.tsx'
import { putAside, useCallsInProgress } from '../../telephony/calls/call-in-progress.ts'
import { AskForPush } from '../notifications/AskForPush.tsx'
import { Arrivals } from './Arrivals.tsx'
import styles from './CallQueue.module.css'
import { CurrentLead, LeadHead } from './CurrentLead.tsx'
import { FactsOfLead, LeadFacts, LostDuringCall } from './LeadFacts.tsx'
import { Offers } from './Offers.tsx'
import { OwnerChoice } from './OwnerChoice.tsx'
import { QueueGroups } from './QueueGroups.tsx'
import { queueQuery } from './queries.ts'
import type { QueueSearch } from './queue-search.ts'
import { Reason } from './reasons.tsx'
import { useArrivals } from './use-arrivals.ts'
import { useShownLead } from './use-shown-lead.ts'

const LeadTimeline = lazy(() => import('./LeadTimeline.tsx'))
const route = getRouteApi('/signed-in/queue')

/** The leads to call next, one at a time. */
export function CallQueuePage() {
  const { of, group } = route.useSearch()
  const navigate = route.useNavigate()
  const onPhone = useNarrow()
  return (
    <Page
      title={t`Call next`}
      actions={
        <OwnerChoice of={of} mine={t`My leads`} onChange={(owner) => void navigate({ search: { of: owner } })} />
      }
    >
      {!onPhone && <AskForPush />}
      <Queue key={`${of} ${group}`} of={of} group={group} />
    </Page>
  )
}

function Queue({ of, group }: QueueSearch) {
  const onPhone = useNarrow()
  const isTight = useTight()
  const navigate = route.useNavigate()
  const { data: queue, error, refetch, dataUpdatedAt: now } = useQuery(queueQuery(of))
  const { data: ofGroup } = useQuery({ ...queueQuery(of, group), enabled: group !== undefined })
  const listed = group ? ofGroup : queue
  const last = useCallsInProgress().at(-1)
  const call = last?.isAside ? undefined : last
  const [typesOn, setTypesOn] = useState(false)
  const { shown, isGone, others, find, show, next } = useShownLead({ queue, listed, now })
  const arrivals = useArrivals(of, queue, shown?.id, now)
  const top = useRef<HTMLElement>(null)
  const callKey = useRef(call?.key)
  useLayoutEffect(() => {
    // The form of the call is scrolled to its notes.
    if (callKey.current !== undefined && call === undefined) top.current?.scrollIntoView({ block: 'start' })
    callKey.current = call?.key
  }, [call])
  const called = call && find(call.lead.id)
  const choose = (lead: QueuedLead) => {
    if (call) putAside(call.key)
    show(lead)
    top.current?.scrollIntoView({ block: 'start' })
  }
  const showClaimed = (leadId: string) => {
    const lead = queryClient.getQueryData(queueQuery(of).queryKey)?.leads.find(({ id }) => id === leadId)
    if (lead) choose(lead)
  }
  const openGroup = (chosen: QueueSearch['group']) => void navigate({ search: { of, group: chosen } })

  // The screen of a phone has room for the lead to call alone.
  const ask = onPhone && !call && <AskForPush />
  if (error && !queue) return <Problem error={error} retry={() => void refetch()} />
  if (!queue || !listed) return <Skeleton height={240} maw={720} />
  const leadId = call?.lead.id ?? shown?.id
  return (
    <>
      {!call && of === undefined && <Offers onClaimed={showClaimed} />}
      <QueueGroups counts={queue.counts} group={group} onChoose={openGroup} />
      {!call && <Arrivals arrivals={arrivals} onOpen={choose} />}
      {!shown && !call ? (
        <>
          {ask}
          <NoOne inGroup={group !== undefined} onShowAll={() => openGroup(undefined)} />
        </>
      ) : (
        <div className={styles.split}>
          <section ref={top} className={styles.current} aria-label={t`Next lead`}>
            {call ? (
              <CallForm
                key={call.key}
                call={call}
                place="page"
                head={
                  <div>
                    <LeadHead lead={called ?? call.lead} />
                    {(!called || isGone) && <LostDuringCall leadId={call.lead.id} />}
                    {called ? (
                      <>
                        <EnquiryBrief leadId={called.id} enquiry={called.enquiry} isShort />
                        <LeadFacts lead={called} aboveForm />
                      </>
                    ) : (
                      <FactsOfLead leadId={call.lead.id} />
                    )}
                  </div>
                }
                onLogged={({ byKey }) => {
                  setTypesOn(byKey)
                  // A missed call stays in the queue until somebody speaks with the lead: others are next.
                  if (called) next(called, { isLogged: true })
                }}
              />
            ) : shown ? (
              <CurrentLead
                key={shown.id}
                lead={shown}
                isGone={isGone}
                typesOn={typesOn}
                onPause={() => setTypesOn(false)}
                onSkip={isGone || others.length > 0 ? () => next(shown) : undefined}
                onLost={() => next(shown)}
              />
            ) : null}
          </section>
          {ask}
          {(!isTight || !call) && (
            <div>
              {others.length > 0 && <UpNext leads={others} isShort={!isTight} onChoose={choose} />}
              {!isTight && leadId && (
                <div className={styles.timeline}>
                  <Suspense>
                    <LeadTimeline leadId={leadId} />
                  </Suspense>
                </div>
              )}
            </div>
          )}
        </div>
      )}
    </>
  )
}

/** The timeline is below it. */
const fewNext = 5

function UpNext({
  leads,
  isShort,
  onChoose,
}: {
  leads: QueuedLead[]
  isShort: boolean
  onChoose(lead: QueuedLead): void
}) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = isShort && !showsAll ? leads.slice(0, fewNext) : leads
  return (
    <section aria-label={t`Up next`}>
      <Title order={2} mb={8}>
        <Trans>Up next</Trans>
      </Title>
      <ul className={styles.others}>
        {shown.map((lead) => (
          <li key={lead.id}>
            <UnstyledButton className={styles.other} onClick={() => onChoose(lead)}>
              <span className={styles.otherName}>{lead.name}</span>
              <Text span size="xs" c="dimmed">
                <Reason lead={lead} />
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown.length < leads.length && (
        <Button size="xs" mt={8} variant="subtle" onClick={() => setShowsAll(true)}>
          {t`Show ${{ more: leads.length - shown.length }} more`}
        </Button>
      )}
    </section>
  )
}

function NoOne({ inGroup, onShowAll }: { inGroup: boolean; onShowAll(): void }) {
  return (
    <EmptyState
      py={64}
      icon={<IconPhoneCheck />}
      title={inGroup ? t`No one left in this group` : t`No one to call`}
      description={
        inGroup
          ? t`Show the whole queue to go on.`
          : t`Calls that are due, missed calls, new leads and repeat enquiries appear here, then leads to retry, going cold, without a next step or never called.`
      }
    >
      {inGroup ? (
        <Button variant="default" onClick={onShowAll}>
          <Trans>Show all leads to call</Trans>
        </Button>
      ) : (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" />}>
          <Trans>Open leads</Trans>
        </Button>
      )}
    </EmptyState>
  )
}
