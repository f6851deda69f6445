import { queryClient } from '../../query.ts'
import { changeWebhook, webhookQuery } from '../queries.ts'
import { type Draft, drafted } from './edit-mapping.ts'

/** Saves what was changed, on what is in force by now. Answers what would take it back. */
export async function saveMapping(webhookId: string, draft: Draft): Promise<Draft> {
  const newest = await queryClient.fetchQuery({ ...webhookQuery(webhookId), staleTime: 0, retry: false })
  const saved = await changeWebhook(webhookId, {
    mapping: drafted(newest.mapping, draft),
    was: { mapping: newest.mapping },
  })
  return { base: saved.mapping, mapping: newest.mapping }
}
