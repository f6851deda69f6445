import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { formatNumber } from './numbers.ts'
import { Problem } from './Problem.tsx'
import type { useMoreRows } from './use-more-rows.ts'
import { WaitingButton } from './WaitingButton.tsx'

interface Props {
  more: ReturnType<typeof useMoreRows>['more']
  total: number
  /** There are more than `total`. */
  capped: boolean
  onGo(offset: number): void
}

/** Loads more rows of a list when its end comes near, or when its button is pressed. */
export function LoadMore({ more, total, capped, onGo }: Props) {
  const { hasMore, isLoadingMore, error, ask, retry, offset, shown, next } = more
  const end = useRef<HTMLDivElement>(null)
  const load = useEffectEvent(ask)
  const waits = hasMore && !isLoadingMore && !error
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when more rows are shown
  useEffect(() => {
    if (!waits) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), { rootMargin: '600px 0px' })
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [waits, shown])

  /** Where the focus goes when what was asked for by the button is there: the button may be gone. */
  const asked = useRef<number | null>(null)
  useEffect(() => {
    if (asked.current === null || shown <= asked.current) return
    const row = document.querySelectorAll<HTMLElement>('[data-row]')[asked.current]
    row?.querySelector('a')?.focus({ preventScroll: true })
    asked.current = null
  }, [shown])

  const last = formatNumber(offset + shown)
  const rows = offset === 0 ? last : `${formatNumber(offset + 1)}–${last}`
  const all = formatNumber(total)
  return (
    <Stack ref={end} align="center" gap={8} mt={16}>
      <Problem error={error} retry={retry} />
      {hasMore && !error && (
        <WaitingButton
          variant="default"
          waiting={isLoadingMore}
          onClick={() => {
            asked.current = shown
            ask()
          }}
        >
          <Trans>Load more</Trans>
        </WaitingButton>
      )}
      {next !== null && (
        <Button variant="default" onClick={() => onGo(next)}>
          <Trans>Continue from here</Trans>
        </Button>
      )}
      {offset > 0 && (
        <Button variant="subtle" onClick={() => onGo(0)}>
          <Trans>Go to the first page</Trans>
        </Button>
      )}
      <Text role="status" size="sm" c="dimmed">
        {capped ? t`${rows} of more than ${all}` : t`${rows} of ${all}`}
      </Text>
    </Stack>
  )
}
