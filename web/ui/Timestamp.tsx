import { Text, Tooltip } from '@mantine/core'
import { useHalfMinute } from './half-minute.ts'
import { formatDateTime, formatRelative } from './time.ts'

interface Props {
  at: string
  /** Shows the relative time only, with the full one in a tooltip: for tables. */
  short?: boolean
}

/** A time in IST and the relative time, which is updated every 30 s. */
export function Timestamp({ at, short = false }: Props) {
  useHalfMinute()
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
      <time dateTime={at} className="nowrap">
        {formatRelative(at)}
      </time>
    </Tooltip>
  )
}
