import { queryOptions } from '@tanstack/react-query'
import type { ContinuousBackup } from '#contract/operations/continuous-backup'
import { type Data, get } from '../../platform/api/api.ts'

export const continuousBackupQuery = queryOptions({
  queryKey: ['continuous-backup'],
  queryFn: async ({ signal }) => (await get<Data<ContinuousBackup>>('/web/continuous-backup', {}, signal)).data,
  staleTime: 60_000,
})
