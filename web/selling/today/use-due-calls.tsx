import { plural, t } from '@lingui/core/macro'
import { Anchor, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DueCall } from '#contract/selling/today'
import { PhoneLink } from '../../crm/contacts/ContactLink.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { addToTitleCount } from '../../platform/ui/title.ts'
import { startCall, useCallsInProgress } from '../../telephony/calls/call-in-progress.ts'
import { useDismissed } from '../../telephony/ringing/use-dismissed.ts'
import { dueCallsQuery } from './queries.ts'
import styles from './Today.module.css'

/** A call that was moved, or is overdue, is shown again. */
const placeOf = ({ id, call_again_at, is_overdue }: DueCall) => `${id} ${call_again_at} ${is_overdue}`

const maxShown = 3
/** The height of the message at most, and how far the page can be scrolled above it. */
const height = '176px'

/**
 * Shows promised calls that are due, until they are called, moved or closed in this browser; on a hidden page in its title, too.
 * The user's own queue and Today show them anyway; over Today, a call form may be open.
 */
export function useDueCalls() {
  const ownPage = useLocation({ select: ({ pathname, search }) => (search.of === undefined ? pathname : '') })
  const dueDuringForm = useDueDuringForm()
  const { data } = useQuery(dueCallsQuery)
  const { isDismissed, dismiss } = useDismissed()
  const navigate = useNavigate()
  const isShown = (call: DueCall) => ownPage !== '/queue' && (ownPage !== '/today' || dueDuringForm(call))
  const calls = (data?.calls ?? []).filter((call) => !isDismissed(placeOf(call)) && isShown(call))
  const places = calls.map(placeOf).join()

  const show = useEffectEvent((id: string, onClose: () => void) => {
    const openLead = (leadId: string) => void navigate({ to: '/leads/$leadId', params: { leadId } })
    const count = calls.length < (data?.calls.length ?? 0) ? calls.length : (data?.count ?? 0)
    notifications.show({
      id,
      title: titleOf(calls, count),
      message: (
        <DueCallList calls={calls} count={count} openLead={openLead} openAll={() => void navigate({ to: '/today' })} />
      ),
      autoClose: false,
      className: styles.due!,
      closeButtonProps: { 'aria-label': t`Close` },
      onClose,
    })
    if (document.hidden) addToTitleCount(count)
  })
  const dismissAll = useEffectEvent(() => {
    for (const call of calls) dismiss(placeOf(call))
  })
  useEffect(() => {
    if (places === '') return
    const id = `due ${places}`
    let isShown = true
    const { style } = document.documentElement
    style.setProperty('--due-calls-height', height)
    show(id, () => {
      if (isShown) dismissAll()
    })
    return () => {
      isShown = false
      style.removeProperty('--due-calls-height')
      notifications.hide(id)
    }
  }, [places])
}

/** Whether a call became due while the form of another call is open. */
function useDueDuringForm(): (call: DueCall) => boolean {
  const form = useCallsInProgress().find(({ isFormOpen }) => isFormOpen)
  const [opened, setOpened] = useState({ key: form?.key, at: Date.now() })
  if (form?.key !== opened.key) setOpened({ key: form?.key, at: Date.now() })
  return ({ id, call_again_at }) => form !== undefined && id !== form.lead.id && Date.parse(call_again_at) >= opened.at
}

function titleOf(calls: DueCall[], count: number): string {
  return calls.every(({ is_overdue }) => is_overdue)
    ? plural(count, { one: 'Call overdue', other: '# calls overdue' })
    : plural(count, { one: 'Call due', other: '# calls due' })
}

interface ListProps {
  calls: DueCall[]
  count: number
  openLead(id: string): void
  openAll(): void
}

/** Notifications are outside of the router, where links of it do not work. */
function DueCallList({ calls, count, openLead, openAll }: ListProps) {
  const shown = calls.slice(0, maxShown)
  return (
    <Stack gap={4}>
      {shown.map((call) => (
        <Group key={call.id} gap="4px 12px">
          <PageLink href={`/leads/${call.id}`} open={() => openLead(call.id)}>
            {call.name}
          </PageLink>
          {call.phone && <PhoneLink number={call.phone} onCall={() => startCall(call)} />}
        </Group>
      ))}
      {count > 1 && (
        <PageLink href="/today" open={openAll}>
          {count > shown.length ? t`Open Today: ${{ count: formatNumber(count - shown.length) }} more` : t`Open Today`}
        </PageLink>
      )}
    </Stack>
  )
}

function PageLink({ href, open, children }: { href: string; open(): void; children: string }) {
  return (
    <Anchor
      href={href}
      lineClamp={1}
      onClick={(event) => {
        event.preventDefault()
        open()
      }}
    >
      {children}
    </Anchor>
  )
}
