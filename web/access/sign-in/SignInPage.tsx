import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Anchor, Divider, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { get } from '../../platform/api/api.ts'
import { noteNewSession } from '../../platform/api/session.ts'
import { CenteredPage } from './CenteredPage.tsx'
import { signInOptionsQuery } from './options.ts'
import { SignInSteps } from './SignInSteps.tsx'
import { SingleSignOnButton } from './SingleSignOnButton.tsx'
import { describeSingleSignOnProblem } from './single-sign-on-words.ts'
import { urlAfterSignIn } from './url-after-sign-in.ts'

// Few see these, and everyone waits for the first page.
const NotSetUp = lazy(() => import('./NotSetUp.tsx'))
const SecondFactor = lazy(() => import('./SecondFactor.tsx'))

export function SignInPage() {
  const { next, step } = getRouteApi('/sign-in').useSearch()
  const navigate = getRouteApi('/sign-in').useNavigate()
  const { data: options } = useQuery(signInOptionsQuery)
  const singleSignOn = options?.single_sign_on
  const [byPassword, setByPassword] = useState(false)
  // Loads a new page, so that no data of the previous user is left.
  const open = () => {
    sessionStorage.clear()
    location.replace(urlAfterSignIn(next, location.origin))
  }
  const done = () => {
    noteNewSession()
    open()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (step !== undefined) return
    // A user who is signed in already.
    get('/web/me').then(
      () => location.replace(urlAfterSignIn(next, location.origin)),
      () => {},
    )
  }, [])

  if (step === 'done') return <Signed onSigned={done} />
  if (step === 'code')
    return (
      <CenteredPage title={t`Two-factor code`}>
        <Suspense>
          <SecondFactor onDone={done} onBack={() => void navigate({ search: { next }, replace: true })} />
        </Suspense>
      </CenteredPage>
    )
  if (singleSignOn?.only && !byPassword)
    return (
      <SignInWith title={t`Sign in`}>
        <SingleSignOnButton options={singleSignOn} next={next} />
        <Anchor component="button" type="button" onClick={() => setByPassword(true)}>
          <Trans>Admins: sign in with a password</Trans>
        </Anchor>
      </SignInWith>
    )
  if (options && !options.is_set_up && !singleSignOn)
    return (
      <CenteredPage title={t`Lead Engine is not set up yet`}>
        <Suspense>
          <NotSetUp />
        </Suspense>
      </CenteredPage>
    )
  return (
    <SignInSteps
      onDone={open}
      foot={
        <>
          <Anchor component={Link} to="/forgotten" ta="center">
            <Trans>Forgot your password?</Trans>
          </Anchor>
          {singleSignOn && (
            <>
              <Divider label={t`or`} />
              <SingleSignOnButton options={singleSignOn} next={next} variant="default" />
            </>
          )}
        </>
      }
      around={(title, form) => <SignInWith title={title}>{form}</SignInWith>}
    />
  )
}

/** The provider has signed the user in. */
function Signed({ onSigned }: { onSigned(): void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onSigned, [])
  return null
}

/** Shows why the provider did not sign somebody in, above the ways to sign in. */
function SignInWith({ title, children }: { title: string; children: ReactNode }) {
  const { problem } = getRouteApi('/sign-in').useSearch()
  const options = useQuery(signInOptionsQuery)
  return (
    <CenteredPage title={title}>
      <Stack gap={16}>
        {problem && !options.isPending && (
          <Alert role="alert" variant="default" icon={<IconAlertCircle color="var(--red)" />} p={12}>
            {describeSingleSignOnProblem(problem, options.data?.single_sign_on?.name ?? null)}
          </Alert>
        )}
        {children}
      </Stack>
    </CenteredPage>
  )
}
