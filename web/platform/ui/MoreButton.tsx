import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { WaitingButton } from './WaitingButton.tsx'

interface Props {
  hasMore: boolean
  waiting: boolean
  /** How many rows the list shows. */
  shown: number
  onMore(): void
}

/** Loads more rows of a list, and moves the focus to the first of them: the button disappears with the last ones. */
export function MoreButton({ hasMore, waiting, shown, onMore }: Props) {
  const asked = useRef<number | null>(null)
  useEffect(() => {
    if (asked.current === null || shown <= asked.current) return
    const row = document.querySelectorAll<HTMLElement>('[data-row]')[asked.current]
    row?.querySelector('a')?.focus({ preventScroll: true })
    asked.current = null
  }, [shown])
  if (!hasMore) return null
  return (
    <WaitingButton
      variant="default"
      display="block"
      mx="auto"
      mt={16}
      waiting={waiting}
      onClick={() => {
        asked.current = shown
        onMore()
      }}
    >
      <Trans>Load more</Trans>
    </WaitingButton>
  )
}
