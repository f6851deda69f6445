import { queryClient } from '../../../platform/api/query.ts'
import { changeWebhook, webhookQuery } from '../queries.ts'
import { type Draft, drafted } from './edit-mapping.ts'

/** Applies the draft to the mapping as it is saved now. Returns the draft that undoes it. */
export async function saveMapping(webhookId: string, draft: Draft): Promise<Draft> {
  const newest = await queryClient.fetchQuery({ ...webhookQuery(webhookId), staleTime: 0, retry: false })
  const saved = await changeWebhook(webhookId, {
    mapping: drafted(newest.mapping, draft),
    was: { mapping: newest.mapping },
  })
  return { base: saved.mapping, mapping: newest.mapping }
}
