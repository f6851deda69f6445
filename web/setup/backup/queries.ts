import { queryOptions } from '@tanstack/react-query'
import type { DailyBackups } from '#contract/operations/backup'
import { type Data, get } from '../../platform/api/api.ts'

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async ({ signal }) => (await get<Data<DailyBackups>>('/web/backups', {}, signal)).data,
  staleTime: 60_000,
})
