import { queryOptions } from '@tanstack/react-query'
import type { DailyBackups } from '#contract/backup'
import { type Data, get } from '../api.ts'

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async ({ signal }) => (await get<Data<DailyBackups>>('/web/backups', {}, signal)).data,
  staleTime: 60_000,
})
