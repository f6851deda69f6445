import { Text, Tooltip } from '@mantine/core'
import { sharedState } from './shared-state.ts'
import { formatDateTime, formatRelative } from './time.ts'

interface Props {
  at: string
  /** Only the relative time, with the whole one on demand: for the cells of a table. */
  short?: boolean
}

const halfMinute = sharedState(0)
setInterval(() => halfMinute.set(halfMinute.get() + 1), 30_000)

/** A time in IST with the relative time beside it, which goes on as time does. */
export function Timestamp({ at, short = false }: Props) {
  halfMinute.use()
  if (!short)
    return (
      <time dateTime={at}>
        {formatDateTime(at)}{' '}
        <Text span c="dimmed" inherit>
          · {formatRelative(at)}
        </Text>
      </time>
    )
  return (
    <Tooltip label={`${formatDateTime(at)} IST`}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {formatRelative(at)}
      </time>
    </Tooltip>
  )
}
