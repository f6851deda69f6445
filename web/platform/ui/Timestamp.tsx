import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { useHalfMinute } from './half-minute.ts'
import { formatDateTime, formatRelative } from './time.ts'

interface Props {
  at: string
  /** Shows the relative time only, with the full one as its title: for tables, which have hundreds. */
  short?: boolean
  /** Further words for the title. */
  note?: string | null
}

/** A time in IST and the relative time, which is updated every 30 s. */
export function Timestamp({ at, short = false, note }: Props) {
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
    <time
      dateTime={at}
      className="nowrap"
      title={[t`${{ time: formatDateTime(at) }} IST`, note].filter(Boolean).join(' · ')}
    >
      {formatRelative(at)}
    </time>
  )
}
