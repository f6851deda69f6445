import { Alert, Box, Button, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '../../ui/numbers.ts'
import { Problem } from '../../ui/Problem.tsx'
import { toReplayQuery } from '../queries.ts'
import { replayedWords } from '../record-words.ts'
import { type ReplayState, useReplayRefused } from './replay-refused.ts'

interface Props {
  webhookId: string
  /** Within a bar that has its own frame, as the next thing to do. */
  inBar?: boolean
}

/** The button that began it is gone, and the focus with it. */
const takeFocus = (message: HTMLElement | null) => message?.focus({ preventScroll: true })

/** One click for all that was rejected, or ignored with a possible contact; nothing where nothing is. */
export function ReplayRefused({ webhookId, inBar = false }: Props) {
  const { data } = useQuery(toReplayQuery(webhookId))
  const { state, start, forget } = useReplayRefused(webhookId)
  const { rejected, ignored, more } = data ?? { rejected: 0, ignored: 0, more: false }
  const count = rejected + ignored
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(forget)
    const back = button.current ?? document.getElementById('content')
    back?.focus({ preventScroll: true })
  }
  const kind = ignored === 0 ? 'rejected ' : rejected === 0 ? 'ignored ' : ''
  const what = more
    ? `all ${kind || 'rejected and ignored '}deliveries`
    : formatCount(count, `${kind}delivery`, `${kind}deliveries`)

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
          closeButtonLabel="Close"
          onClose={close}
        >
          {sentence(state, more ? undefined : count)}
        </Alert>
        <Problem error={state.error} retry={start} />
      </Box>
    )
  if (count === 0 && !more) return null
  return (
    <Button
      ref={button}
      variant={inBar ? 'filled' : 'default'}
      mb={inBar ? 0 : 16}
      leftSection={<IconRefresh size={16} />}
      onClick={start}
    >
      Replay {what}
    </Button>
  )
}

function sentence({ busy, done, counts, error }: ReplayState, of: number | undefined): string {
  if (busy) return done > 0 ? `Replayed ${done} so far…` : `Replaying${of ? ` ${of}` : ''}…`
  const words = replayedWords(counts)
  const start = error ? 'Stopped after' : 'Replayed'
  return `${start} ${formatCount(done, 'delivery', 'deliveries')}${words ? `: ${words}` : ''}.`
}
