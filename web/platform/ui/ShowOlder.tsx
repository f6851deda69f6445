import { Trans } from '@lingui/react/macro'
import { Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { WaitingButton } from './WaitingButton.tsx'

interface Props {
  hasOlder: boolean
  waiting: boolean
  /** The first of the rows that were loaded last. */
  firstId: string | undefined
  onShow(): void
}

/** Loads older rows. It disappears with the oldest, and its focus moves to the first of them. */
export function ShowOlder({ hasOlder, waiting, firstId, onShow }: Props) {
  const pressed = useRef(false)
  useEffect(() => {
    if (hasOlder || !pressed.current) return
    pressed.current = false
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-row="${firstId}"] a`)?.focus({ preventScroll: true })
  }, [hasOlder, firstId])
  if (!hasOlder) return null
  return (
    <Group justify="center" mt={16}>
      <WaitingButton
        variant="default"
        waiting={waiting}
        onClick={() => {
          pressed.current = true
          onShow()
        }}
      >
        <Trans>Show older</Trans>
      </WaitingButton>
    </Group>
  )
}
