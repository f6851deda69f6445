import { Anchor } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CenteredPage } from './CenteredPage.tsx'
import { placeAfter } from './place-after.ts'
import { SignInSteps } from './SignInSteps.tsx'

export function SignInPage() {
  const { next } = getRouteApi('/sign-in').useSearch()
  return (
    <SignInSteps
      // A new page, so that nothing of who was here before is left.
      onDone={() => location.assign(placeAfter(next, location.origin))}
      foot={
        <Anchor component={Link} to="/forgotten" ta="center">
          Forgotten your password?
        </Anchor>
      }
      around={(title, step) => <CenteredPage title={title}>{step}</CenteredPage>}
    />
  )
}
