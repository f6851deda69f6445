import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Skeleton, Text, Title, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { QueuedLead } from '#contract/selling/call-queue'
import { queryClient } from '../../platform/api/query.ts'
import { notify } from '../../platform/ui/notify.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow, useTight } from '../../platform/ui/screen-size.ts'
import { CallForm } from '../../telephony/calls/CallForm.tsx'
import { putAside, useQueueCall } from '../../telephony/calls/call-in-progress.ts'
import { AskForPush } from '../notifications/AskForPush.tsx'
import { Arrivals } from './Arrivals.tsx'
import { CalledLead } from './CalledLead.tsx'
import styles from './CallQueue.module.css'
import { CurrentLead } from './CurrentLead.tsx'
import { NearPromise } from './NearPromise.tsx'
import { NoOne } from './NoOne.tsx'
import { Offers } from './Offers.tsx'
import { OwnerChoice } from './OwnerChoice.tsx'
import { isDueSince } from './place.ts'
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

/** In milliseconds, between two taps that are one. */
const tapMs = 500

function Queue({ of, group }: QueueSearch) {
  const onPhone = useNarrow()
  const isTight = useTight()
  const navigate = route.useNavigate()
  const { data: queue, error, refetch, dataUpdatedAt: now } = useQuery(queueQuery(of))
  const { data: ofGroup } = useQuery({ ...queueQuery(of, group), enabled: group !== undefined })
  const listed = group ? ofGroup : queue
  const call = useQueueCall()
  const [typesOn, setTypesOn] = useState(false)
  const { shown, isGone, others, find, show, next } = useShownLead({ queue, listed, now })
  const arrivals = useArrivals(of, queue, shown?.id, now)
  const top = useRef<HTMLElement>(null)
  const skippedAt = useRef(0)
  const [form, setForm] = useState<{ key: string; openedAt: number; goTo?: QueuedLead }>()
  if (call && call.key !== form?.key) setForm({ key: call.key, openedAt: Date.now() })
  useLayoutEffect(() => {
    if (!form || call) return
    if (form.goTo) show(form.goTo)
    setForm(undefined)
    // The form of the call is scrolled to its notes.
    top.current?.scrollIntoView({ block: 'start' })
  }, [call, form, show])
  const called = call && find(call.lead.id)
  const near = call && form && queue?.leads.find((lead) => lead.id !== call.lead.id && isDueSince(lead, form.openedAt))
  const choose = (lead: QueuedLead) => {
    if (call) putAside(call.key)
    setForm(undefined)
    show(lead)
    top.current?.scrollIntoView({ block: 'start' })
  }
  const showClaimed = (leadId: string) => {
    const lead = queryClient.getQueryData(queueQuery(of).queryKey)?.leads.find(({ id }) => id === leadId)
    if (lead) choose(lead)
  }
  const openGroup = (chosen: QueueSearch['group']) => void navigate({ search: { of, group: chosen } })

  const skip = (lead: QueuedLead) => {
    // The second of two quick taps would skip a lead that was not seen.
    if (Date.now() - skippedAt.current < tapMs) return
    skippedAt.current = Date.now()
    const undo = next(lead)
    if (isGone) return
    notify(t`${{ name: lead.name }} skipped`, () => {
      skippedAt.current = 0
      undo()
      top.current?.scrollIntoView({ block: 'start' })
    })
  }

  // The screen of a phone has room for the lead to call alone.
  const ask = onPhone && !call && <AskForPush />
  if (error && !queue) return <Problem error={error} retry={() => void refetch()} />
  if (!queue || !listed) return <Skeleton height={240} maw={720} />
  const leadId = call?.lead.id ?? shown?.id
  return (
    <>
      {!call && of === undefined && <Offers onClaimed={showClaimed} />}
      <div className={styles.row}>
        {!call && <Arrivals arrivals={arrivals} onOpen={choose} />}
        <QueueGroups counts={queue.counts} group={group} onChoose={openGroup} />
      </div>
      {near && (
        <NearPromise
          lead={near}
          isNext={form.goTo?.id === near.id}
          onNext={(isNext) => setForm({ key: form.key, openedAt: form.openedAt, ...(isNext && { goTo: near }) })}
        />
      )}
      {!shown && !call ? (
        <>
          {ask}
          <NoOne of={of} inGroup={group !== undefined} onShowAll={() => openGroup(undefined)} />
        </>
      ) : (
        <div className={styles.split}>
          <section ref={top} className={styles.current} aria-label={t`Next lead`}>
            {call ? (
              <CallForm
                key={call.key}
                call={call}
                place="page"
                head={<CalledLead call={call} queued={called} isGone={isGone && called?.id === shown?.id} />}
                onLogged={({ byKey }) => {
                  setTypesOn(byKey)
                  // A missed call stays in the queue until somebody speaks with the lead: others are next.
                  if (called) next(called, { isLogged: true, goTo: form?.goTo })
                }}
              />
            ) : shown ? (
              <CurrentLead
                key={shown.id}
                lead={shown}
                isGone={isGone}
                typesOn={typesOn}
                onPause={() => setTypesOn(false)}
                onSkip={isGone || others.length > 0 ? () => skip(shown) : undefined}
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
                    <LeadTimeline key={leadId} leadId={leadId} />
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
