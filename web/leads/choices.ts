import { queryOptions } from '@tanstack/react-query'
import type { LeadChoices } from '#contract/leads'
import { type Data, get } from '../api.ts'

/** What a lead's source and its assigned person may be chosen from. */
export const choicesQuery = queryOptions({
  queryKey: ['leads', 'choices'],
  queryFn: async () => (await get<Data<LeadChoices>>('/web/leads/choices')).data,
  staleTime: 60_000,
})
