import { Text, Tooltip } from '@mantine/core'
import { pageState } from './page-state.ts'
import { inIst, relative } from './when.ts'

interface Props {
  at: string
  /** Only the relative time, with the whole one on demand: for the cells of a table. */
  short?: boolean
}

const halfMinute = pageState(0)
setInterval(() => halfMinute.set(halfMinute.get() + 1), 30_000)

/** A time in IST with the relative time beside it, which goes on as time does. */
export function When({ at, short = false }: Props) {
  halfMinute.use()
  if (!short)
    return (
      <time dateTime={at}>
        {inIst(at)}{' '}
        <Text span c="dimmed" inherit>
          · {relative(at)}
        </Text>
      </time>
    )
  return (
    <Tooltip label={`${inIst(at)} IST`}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {relative(at)}
      </time>
    </Tooltip>
  )
}
