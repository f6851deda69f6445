import { useEffect } from 'react'
import { useMe } from '../access/account/me.ts'
import { keepRecentLead } from '../crm/leads/recent-leads.ts'
import { useCallsInProgress } from '../telephony/calls/call-in-progress.ts'

/** Makes a called lead a recent one, also if its page was not opened. */
export function useKeepCalledLead() {
  const { id } = useMe()
  const called = useCallsInProgress().at(-1)?.lead
  useEffect(() => {
    if (called) keepRecentLead(id, called)
  }, [id, called])
}
