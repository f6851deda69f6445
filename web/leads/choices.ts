import { queryOptions } from '@tanstack/react-query'
import type { LeadChoices } from '#contract/leads'
import { type Data, get } from '../api.ts'
import { leadKeys } from './keys.ts'

/** Choices for a lead's source and owner. */
export const choicesQuery = queryOptions({
  queryKey: leadKeys.choices,
  queryFn: async () => (await get<Data<LeadChoices>>('/web/leads/choices')).data,
  staleTime: 60_000,
})
