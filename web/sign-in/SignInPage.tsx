import { Anchor } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CenteredPage } from './CenteredPage.tsx'
import { SignInSteps } from './SignInSteps.tsx'
import { urlAfterSignIn } from './url-after-sign-in.ts'

export function SignInPage() {
  const { next } = getRouteApi('/sign-in').useSearch()
  return (
    <SignInSteps
      // Loads a new page, so that no data of the previous user is left.
      onDone={() => {
        sessionStorage.clear()
        location.assign(urlAfterSignIn(next, location.origin))
      }}
      foot={
        <Anchor component={Link} to="/forgotten" ta="center">
          Forgot your password?
        </Anchor>
      }
      around={(title, step) => <CenteredPage title={title}>{step}</CenteredPage>}
    />
  )
}
