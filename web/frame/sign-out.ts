import { forgetRecentLeads } from '../crm/leads/recent-leads.ts'
import { post } from '../platform/api/api.ts'
import { removeAnswers } from '../platform/api/offline-answers.ts'
import { stopPush } from '../selling/notifications/push.ts'

/** Signs out and loads a new page, so that no data of the account is left in this tab. */
export async function signOut() {
  // The next user of this browser must not read names of these leads.
  await stopPush().catch(() => {})
  await post('/auth/sign-out')
  sessionStorage.clear()
  forgetRecentLeads()
  removeAnswers()
  location.assign('/sign-in')
}
