import { t } from '@lingui/core/macro'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { formatNumber } from './numbers.ts'

interface Props {
  offset: number
  limit: number
  /** The number of rows on this page. */
  shown: number
  total: number
  /** There are more than `total`. */
  capped?: boolean
  onGo(offset: number): void
}

/** "1–50 of 12,345", with buttons for the previous and next page. */
export function Pager({ offset, limit, shown, total, capped = false, onGo }: Props) {
  const last = offset + shown
  const rows = shown === 0 ? '0' : `${formatNumber(offset + 1)}–${formatNumber(last)}`
  const all = formatNumber(total)
  return (
    <Group component="nav" aria-label={t`Pages`} gap={4} justify="flex-end">
      <Text size="sm" c="dimmed" mr={8}>
        {capped ? t`${rows} of more than ${all}` : t`${rows} of ${all}`}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={t`Previous page`}
        disabled={offset === 0}
        onClick={() => onGo(Math.max(0, offset - limit))}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t`Next page`}
        disabled={last >= total && !capped}
        onClick={() => onGo(offset + limit)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  )
}
