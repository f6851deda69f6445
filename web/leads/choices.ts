import { queryOptions } from '@tanstack/react-query'
import { type Data, get } from '../api.ts'

interface Choices {
  /** The labels in use, the most used first. */
  sources: string[]
  /** Whose leads one may see. */
  people: { name: string; email: string; active: boolean }[]
}

/** What a lead's source and its assigned person may be chosen from. */
export const choicesQuery = queryOptions({
  queryKey: ['leads', 'choices'],
  queryFn: async () => (await get<Data<Choices>>('/web/leads/choices')).data,
  staleTime: 60_000,
})
