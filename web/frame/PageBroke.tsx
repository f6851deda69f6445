import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiProblem } from '../api.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { NothingHere } from './NothingHere.tsx'

/** In place of a page that could not be shown. */
export function PageBroke({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiProblem && error.status === 404) return <NothingHere />
  return (
    <Page title="This page could not be shown">
      <Problem
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}
