import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CountOfDuplicates } from '#contract/crm/duplicates'
import { type Data, get } from '../../platform/api/api.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { leadKeys } from '../leads/keys.ts'

const countQuery = queryOptions({
  queryKey: leadKeys.duplicateCount,
  queryFn: async ({ signal }) => (await get<Data<CountOfDuplicates>>('/web/duplicates/count', {}, signal)).data,
  staleTime: 60_000,
  retry: false,
})

/** How many possible duplicates there are: "14", or "99+". */
export function DuplicateCount() {
  const { data } = useQuery(countQuery)
  if (!data?.count) return null
  return (
    <Text span size="sm" c="dimmed" fw={400}>
      {formatNumber(data.count)}
      {data.capped && '+'}
    </Text>
  )
}
