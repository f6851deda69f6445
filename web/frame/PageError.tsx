import { t } from '@lingui/core/macro'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiProblem, isNotFound } from '../platform/api/api.ts'
import { useConnected } from '../platform/api/connection.ts'
import { NotFound } from '../platform/ui/NotFound.tsx'
import { NotOpenedBefore } from '../platform/ui/NotOpenedBefore.tsx'
import { Page } from '../platform/ui/Page.tsx'
import { Problem } from '../platform/ui/Problem.tsx'

/** Shown while the frame, which has the main region of a page, cannot be shown either. */
export const FrameError = (props: ErrorComponentProps) => (
  <main>
    <PageError {...props} />
  </main>
)

/** Shown instead of a page that failed. Loads the page again when the connection is back. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const connected = useConnected()
  const lost = useRef(false)
  const retry = () => {
    // Browsers keep the failure of a module until the page is loaded again.
    if (!(error instanceof ApiProblem)) return location.reload()
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    if (connected && lost.current) retry()
    lost.current = !connected
  })
  if (isNotFound(error)) return <NotFound />
  if (!connected) return <NotOpenedBefore />
  const isSuspended = error instanceof ApiProblem && error.code === 'ACCOUNT_SUSPENDED'
  return (
    <Page title={isSuspended ? t`Account suspended` : t`This page could not be shown`}>
      <Problem error={error} retry={retry} />
    </Page>
  )
}
