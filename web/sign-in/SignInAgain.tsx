import { Anchor, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useMe } from '../me.ts'
import { queryClient } from '../query.ts'
import { SignInSteps } from './SignInSteps.tsx'
import { setSessionEnded } from './session.ts'

/** Asks to sign in again over the page, so that what you typed there is kept. */
export default function SignInAgain() {
  const { email } = useMe()
  const [before] = useState(() => document.activeElement)
  // The field that had the focus gets it back.
  useEffect(() => () => void setTimeout(() => before instanceof HTMLElement && before.focus()), [before])
  const resume = () => {
    setSessionEnded(false)
    void queryClient.invalidateQueries()
  }
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
            <Anchor href={elsewhere} ta="center">
              Sign in as another user
            </Anchor>
          }
          around={(title, step) => (
            <>
              <Modal.Header>
                <Modal.Title>{title}</Modal.Title>
              </Modal.Header>
              <Modal.Body>
                <Text c="dimmed" mb={16}>
                  Your session ended. What you typed on this page is still there.
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
