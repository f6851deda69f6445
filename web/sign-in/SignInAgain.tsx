import { Anchor, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMe } from '../me.ts'
import { SignInSteps } from './SignInSteps.tsx'
import { noteSession } from './session.ts'

/** Over the page whose session ended, so that what was typed there is kept. */
export default function SignInAgain() {
  const { email } = useMe()
  const queryClient = useQueryClient()
  const [before] = useState(() => document.activeElement)
  // A field in which one was typing has it again.
  useEffect(() => () => void setTimeout(() => before instanceof HTMLElement && before.focus()), [before])
  const goOn = () => {
    noteSession('begun')
    void queryClient.invalidateQueries()
  }
  const elsewhere = `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
  return (
    <Modal.Root opened onClose={() => {}} closeOnEscape={false} closeOnClickOutside={false} centered zIndex={400}>
      {/* Whose session was ended for a reason should not be read over a shoulder. */}
      <Modal.Overlay backgroundOpacity={0.7} blur={8} />
      <Modal.Content>
        <SignInSteps
          email={email}
          onDone={goOn}
          foot={
            <Anchor href={elsewhere} ta="center">
              Sign in as somebody else
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
