import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Box, Button, Group, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ReplayFilter } from '#contract/intake/webhooks'
import { Problem } from '../../../platform/ui/Problem.tsx'
import { replayableQuery } from '../queries.ts'
import { replayedSummary } from '../record-words.ts'
import { type ReplayState, useReplay } from './use-replay.ts'

interface Props {
  webhookId: string
  /** Without an outcome: what was rejected, or ignored with a possible contact. */
  filter?: ReplayFilter
  /** Inside a bar with its own border, as the primary action. */
  inBar?: boolean
}

/** Moves the focus from the button, which is removed, to the message. */
const takeFocus = (message: HTMLElement | null) => message?.focus({ preventScroll: true })

const noFilter: ReplayFilter = {}

/** A button that replays all deliveries of the filter that made no lead; nothing if there are none. */
export function ReplayDeliveries({ webhookId, filter = noFilter, inBar = false }: Props) {
  const { data } = useQuery(replayableQuery(webhookId, filter))
  const { state, start, clear } = useReplay(webhookId, filter)
  const { rejected, ignored, more } = data ?? { rejected: 0, ignored: 0, more: false }
  const count = rejected + ignored
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(clear)
    const back = button.current ?? document.getElementById('content')
    back?.focus({ preventScroll: true })
  }

  if (state)
    return (
      <Box mb={inBar ? 0 : 16}>
        <Alert
          ref={takeFocus}
          tabIndex={-1}
          role="status"
          variant="default"
          px={12}
          py={6}
          bd={inBar ? '0' : undefined}
          bg={inBar ? 'transparent' : undefined}
          icon={state.busy ? <Loader size={16} aria-hidden /> : <IconRefresh />}
          withCloseButton={!state.busy && !inBar}
          closeButtonLabel={t`Close`}
          onClose={close}
        >
          <Group gap={12}>
            {progressText(state, more ? undefined : count)}
            {state.after && (
              <Button size="compact-sm" variant="default" onClick={() => start(state.after)}>
                <Trans>Replay more</Trans>
              </Button>
            )}
          </Group>
        </Alert>
        <Problem error={state.error} retry={() => start()} />
      </Box>
    )
  if (count === 0 && !more) return null
  return (
    <Button
      ref={button}
      variant={inBar ? 'filled' : 'default'}
      mb={inBar ? 0 : 16}
      leftSection={<IconRefresh size={16} />}
      onClick={() => start()}
    >
      {replayText(rejected, ignored, more)}
    </Button>
  )
}

function replayText(rejected: number, ignored: number, more: boolean): string {
  if (ignored === 0)
    return more
      ? t`Replay all rejected deliveries`
      : plural(rejected, { one: 'Replay # rejected delivery', other: 'Replay # rejected deliveries' })
  if (rejected === 0)
    return more
      ? t`Replay all ignored deliveries`
      : plural(ignored, { one: 'Replay # ignored delivery', other: 'Replay # ignored deliveries' })
  return more
    ? t`Replay all rejected and ignored deliveries`
    : plural({ count: rejected + ignored }, { one: 'Replay # delivery', other: 'Replay # deliveries' })
}

function progressText({ busy, done, counts, error }: ReplayState, count: number | undefined): string {
  if (busy) return done > 0 ? t`Replayed ${done} so far…` : count ? t`Replaying ${count}…` : t`Replaying…`
  const summary = replayedSummary(counts)
  if (error)
    return summary
      ? t`Stopped after ${plural(done, { one: '# delivery', other: '# deliveries' })}: ${summary}.`
      : t`Stopped after ${plural(done, { one: '# delivery', other: '# deliveries' })}.`
  return summary
    ? t`Replayed ${plural(done, { one: '# delivery', other: '# deliveries' })}: ${summary}.`
    : t`Replayed ${plural(done, { one: '# delivery', other: '# deliveries' })}.`
}
