import { t } from '@lingui/core/macro'
import { Alert } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { ApiProblem } from '../api/api.ts'

/** Says that the rate limit delays the results. `reason` is the error of the last attempt; the query retries. */
export function RateLimitNotice({ reason }: { reason: Error | null }) {
  const message = rateLimitMessage(reason)
  if (!message) return null
  return (
    <Alert role="status" variant="default" icon={<IconClock color="var(--amber)" />} p={12}>
      {message}
    </Alert>
  )
}

/** Returns null for any other error. */
export const rateLimitMessage = (reason: Error | null) =>
  reason instanceof ApiProblem && reason.status === 429 && reason.retryAfter !== null
    ? t`Too many requests in a short time. The results follow in ${{ seconds: reason.retryAfter }} s.`
    : null
