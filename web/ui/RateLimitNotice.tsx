import { Alert } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { ApiProblem } from '../api.ts'

/** Says why nothing new comes for some seconds. `reason` is why the last attempt failed; the next one follows by itself. */
export function RateLimitNotice({ reason }: { reason: Error | null }) {
  const sentence = rateLimitMessage(reason)
  if (!sentence) return null
  return (
    <Alert role="status" variant="default" icon={<IconClock color="var(--amber)" />} p={12}>
      {sentence}
    </Alert>
  )
}

/** Null where it was not too many requests that stopped it. */
export const rateLimitMessage = (reason: Error | null) =>
  reason instanceof ApiProblem && reason.status === 429 && reason.retryAfter !== null
    ? `Too many requests in a short time. The results follow in ${reason.retryAfter} s.`
    : null
