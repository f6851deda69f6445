import { queryOptions } from '@tanstack/react-query'
import type { ContinuousBackup } from '#contract/continuous-backup'
import { type Data, get } from '../api.ts'

export const continuousBackupQuery = queryOptions({
  queryKey: ['continuous-backup'],
  queryFn: async ({ signal }) => (await get<Data<ContinuousBackup>>('/web/continuous-backup', {}, signal)).data,
  staleTime: 60_000,
})
