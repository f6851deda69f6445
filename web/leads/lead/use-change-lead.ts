import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LeadChange, LeadInFull } from '#contract/leads'
import { type Data, patch } from '../../api.ts'
import { tell, tellProblem } from '../../ui/tell.tsx'
import { refreshLeads } from '../queries.ts'
import { leadQuery } from './queries.ts'

interface Wish {
  change: LeadChange
  /** What is then so: "City changed to Nagpur". */
  told: string
}

/** Changes the lead, says so and offers to undo it. Changes of one lead go one after the other. */
export function useChangeLead(lead: LeadInFull) {
  const client = useQueryClient()
  const send = async (change: LeadChange) => {
    const { data } = await patch<Data<LeadInFull>>(`/web/leads/${lead.id}`, change)
    client.setQueryData(leadQuery(lead.id).queryKey, data)
    void refreshLeads()
  }
  return useMutation({
    scope: { id: `lead ${lead.id}` },
    mutationFn: async ({ change, told }: Wish) => {
      // As it stands now: undoing must not take away what others wrote since this page was drawn.
      const standing = await client.fetchQuery({ ...leadQuery(lead.id), staleTime: 0 })
      const before = Object.fromEntries(
        Object.keys(change).map((field) => [field, standing[field as keyof LeadChange]]),
      ) as LeadChange
      await send(change)
      tell(told, () => send(before).catch(tellProblem))
    },
  })
}
