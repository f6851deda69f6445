import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { MoreButton } from './MoreButton.tsx'
import { formatNumber } from './numbers.ts'
import { Problem } from './Problem.tsx'
import type { useMoreRows } from './use-more-rows.ts'

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

  const last = formatNumber(offset + shown)
  const rows = offset === 0 ? last : `${formatNumber(offset + 1)}–${last}`
  const all = formatNumber(total)
  return (
    <Stack ref={end} align="center" gap={8} mt={16}>
      <Problem error={error} retry={retry} />
      <MoreButton hasMore={hasMore && !error} waiting={isLoadingMore} shown={shown} onMore={ask} />
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
