import { useQuery } from '@tanstack/react-query'
import { compareNames } from '#contract/platform/text'
import { keysQuery } from '../../access/api-keys/queries.ts'
import { webhooksQuery } from '../webhooks/queries.ts'

/** The names of API keys, also revoked ones, and of webhooks, in their order. */
export function useSources(): { id: string; name: string }[] {
  const { data: keys = [] } = useQuery(keysQuery)
  const { data: webhooks = [] } = useQuery(webhooksQuery)
  return [...keys, ...webhooks].sort((one, other) => compareNames(one.name, other.name))
}
