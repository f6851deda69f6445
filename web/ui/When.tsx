import { Text, Tooltip } from '@mantine/core'
import { inIst, relative } from './when.ts'

interface Props {
  at: string
  /** Only the relative time, with the whole one on demand: for the cells of a table. */
  short?: boolean
}

/** A time in IST with the relative time beside it. */
export function When({ at, short = false }: Props) {
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
