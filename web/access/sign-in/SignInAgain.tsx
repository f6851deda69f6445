import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Divider, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Profile } from '#contract/access/profile'
import { type Data, get } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { setSessionEnded } from '../../platform/api/session.ts'
import { useOnVisible } from '../../platform/ui/use-on-visible.ts'
import { useMe } from '../account/me.ts'
import { signInOptionsQuery } from './options.ts'
import { SignInSteps } from './SignInSteps.tsx'
import { SingleSignOnButton } from './SingleSignOnButton.tsx'

/** Asks to sign in again over the page, so that what you typed there is kept. */
export default function SignInAgain() {
  const { id, email } = useMe()
  const singleSignOn = useQuery(signInOptionsQuery).data?.single_sign_on
  const [before] = useState(() => document.activeElement)
  // The field that had the focus gets it back.
  useEffect(() => () => void setTimeout(() => before instanceof HTMLElement && before.focus()), [before])
  const resume = () => {
    setSessionEnded(false)
    void queryClient.invalidateQueries()
  }
  // In another tab, this user or another one may have signed in.
  useOnVisible(async () => {
    const me = await get<Data<Profile>>('/web/me').catch(() => null)
    if (me?.data.id === id) resume()
    else if (me) location.reload()
  })
  const elsewhere = `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
  return (
    <Modal.Root opened onClose={() => {}} closeOnEscape={false} closeOnClickOutside={false} centered zIndex={400}>
      {/* Hides the page of a user whose access may have been revoked. */}
      <Modal.Overlay backgroundOpacity={0.7} blur={8} />
      <Modal.Content>
        <SignInSteps
          email={email}
          onDone={resume}
          foot={
            <>
              <Anchor href={elsewhere} ta="center">
                <Trans>Sign in as another user</Trans>
              </Anchor>
              {singleSignOn && (
                <>
                  <Divider label={t`or, in another tab`} />
                  <SingleSignOnButton options={singleSignOn} variant="default" target="_blank" />
                </>
              )}
            </>
          }
          around={(title, step) => (
            <>
              <Modal.Header>
                <Modal.Title>{title}</Modal.Title>
              </Modal.Header>
              <Modal.Body>
                <Text c="dimmed" mb={16}>
                  <Trans>Your session ended. What you typed on this page is still there.</Trans>
                </Text>
                {step}
              </Modal.Body>
            </>
          )}
        />
      </Modal.Content>
    </Modal.Root>
  )
}
