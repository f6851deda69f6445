import { t } from '@lingui/core/macro'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FigureList } from '../../platform/ui/FigureList.tsx'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { formatDuration } from '../../platform/ui/time.ts'
import styles from './CallsPage.module.css'
import type { CallListSearch } from './call-search.ts'
import { totalsQuery } from './queries.ts'

/** The figures of the filtered calls. */
export function CallTotals({ search }: { search: CallListSearch }) {
  const { data: totals, error } = useQuery(totalsQuery(search))
  if (error && !totals) return null
  if (!totals) return <Skeleton height={58} mb={16} />
  const { calls, connected, talk_seconds, missed, unreturned, capped } = totals
  const value = (n: number) => formatNumber(n) + (capped ? '+' : '')
  const only = (change: CallListSearch) =>
    ({ to: '/calls', search: { ...search, offset: undefined, ...change } }) as const
  return (
    <>
      <FigureList
        small
        label={t`Totals`}
        figures={[
          { label: t`Calls`, value: value(calls) },
          { label: t`Connected`, value: value(connected) },
          { label: t`Talk time`, value: formatDuration(talk_seconds) + (capped ? '+' : '') },
          { label: t`Missed`, value: value(missed), target: only({ only: 'missed', call_type: 'Inbound' }) },
          { label: t`Not called back`, value: value(unreturned), target: only({ only: 'unreturned' }) },
        ]}
      />
      {capped && (
        <Text size="xs" c="dimmed" className={styles.capped}>
          {search.search
            ? t`Only calls of the newest matching leads are shown. Search for more of the name or the phone.`
            : t`Only the newest calls are counted. Choose fewer days.`}
        </Text>
      )}
    </>
  )
}
