import { queryOptions } from '@tanstack/react-query'
import type { Samples } from '#contract/setup/demo'
import { auditKeys } from '../../access/audit/queries.ts'
import { leadKeys } from '../../crm/leads/keys.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { type Data, get, post, remove } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'

export const samplesQuery = queryOptions({
  // It changes with the leads.
  queryKey: [...leadKeys.all, 'samples'],
  queryFn: async ({ signal }) => (await get<Data<Samples>>('/web/samples', {}, signal)).data,
})

const refresh = () => Promise.all([refreshLeads(), queryClient.invalidateQueries({ queryKey: auditKeys.all })])

export async function addSamples(): Promise<void> {
  await post('/web/samples')
  await refresh()
}

export async function removeSamples(): Promise<{ removed: number; kept: number }> {
  const { data } = await remove<Data<{ removed: number; kept: number }>>('/web/samples')
  await refresh()
  return data
}
