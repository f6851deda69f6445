import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useMe } from '../../access/account/me.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { useConnected } from '../../platform/api/connection.ts'
import { useSessionEnded } from '../../platform/api/session.ts'
import { notify } from '../../platform/ui/notify.tsx'
import styles from './CallBars.module.css'
import { callDrafts, draftOf } from './call-draft.ts'
import { minimizeForms, openCallForm, useCallsInProgress, useQueueCall } from './call-in-progress.ts'
import { cancelCall } from './close-call.ts'
import { notifyOfReassigned, sendWaitingCalls, useWaitingCalls, type WaitingCall } from './waiting-calls.ts'

/**
 * What is still to log or to send: calls in progress, calls that wait for the connection, and those that the server rejected. `isQueue`: the
 * page is Call next.
 */
export function CallBars({ isQueue }: { isQueue: boolean }) {
  const calls = useCallsInProgress()
  const queueCall = useQueueCall()
  const { id } = useMe()
  const own = useWaitingCalls().filter(({ user_id }) => user_id === id)
  const rejected = own.filter(({ problem }) => problem !== undefined)
  const waiting = own.length - rejected.length
  useSending(id, waiting > 0)
  useMinimizing()
  const toLog = calls.filter((call) => (isQueue ? call !== queueCall : !call.isFormOpen))
  return (
    <div>
      <div role="status">
        {waiting > 0 && (
          <p className={styles.bar}>
            {plural(waiting, { one: '# call waits for the connection', other: '# calls wait for the connection' })}
          </p>
        )}
        {rejected.map((one) => (
          <p key={one.key} className={styles.bar}>
            <span>{t`Call with ${{ name: one.lead.name }} not saved: ${{ problem: one.problem! }}`}</span>
            <Button size="compact-sm" variant="default" onClick={() => openAgain(one)}>
              <Trans>Open call</Trans>
            </Button>
          </p>
        ))}
      </div>
      {toLog.map((call) => (
        <p key={call.key} className={`${styles.bar} ${styles.call}`}>
          <span className={styles.name}>{t`Call with ${{ name: call.lead.name }}`}</span>
          <Button size="sm" onClick={() => openCallForm(call.lead)}>
            <Trans>Log call</Trans>
          </Button>
          <Button
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t`Cancel: I did not call`}
            onClick={() => cancelCall(call)}
          >
            <Trans>I did not call</Trans>
          </Button>
        </p>
      ))}
    </div>
  )
}

/** A form that is open does not lie over the page to which the user goes. */
function useMinimizing() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const shownOn = useRef(pathname)
  useLayoutEffect(() => {
    if (shownOn.current !== pathname) minimizeForms()
    shownOn.current = pathname
  }, [pathname])
}

/** In milliseconds. */
const tryEvery = 30_000

function useSending(userId: string, isWaiting: boolean) {
  const connected = useConnected()
  const sessionEnded = useSessionEnded()
  const sends = isWaiting && connected && !sessionEnded
  useEffect(() => {
    if (!sends) return
    const send = async () => {
      const { sent, reassigned } = await sendWaitingCalls(userId)
      if (sent === 0) return
      notify(
        plural(sent, {
          one: '# call logged that waited for the connection',
          other: '# calls logged that waited for the connection',
        }),
      )
      if (reassigned.length > 0) await notifyOfReassigned(reassigned)
      await refreshLeads()
    }
    void send()
    const timer = setInterval(send, tryEvery)
    return () => clearInterval(timer)
  }, [sends, userId])
}

function openAgain({ lead, call, key }: WaitingCall) {
  callDrafts.set(lead.id, { ...callDrafts.get(lead.id), ...draftOf(call) })
  openCallForm(lead, { call_type: call.call_type, rejectedKey: key })
}
