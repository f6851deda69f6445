import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Reading } from '#contract/payload'
import type {
  DeliveryOutcome,
  DeliveryPage,
  ListedWebhook,
  MappingDryRun,
  ReplayableCount,
  ShownDelivery,
  ShownWebhook,
  WebhookChange,
} from '#contract/webhooks'
import { type Data, get, patch, post } from '../api.ts'
import { refreshLeads } from '../leads/queries.ts'
import { queryClient } from '../query.ts'

export type Mapping = ShownWebhook['mapping']

/** Nothing has come yet, not even a test. */
export const isWaiting = ({ proposal, last_delivery }: ShownWebhook) => proposal === null && last_delivery === null

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await get<Data<ListedWebhook[]>>('/web/webhooks', {}, signal)).data,
  refetchInterval: 30_000,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: async ({ signal }) => (await get<Data<ShownWebhook>>(`/web/webhooks/${id}`, {}, signal)).data,
    placeholderData: undefined,
    refetchInterval: ({ state: { data } }) => (data && isWaiting(data) ? 2000 : 5000),
  })

export const deliveriesQuery = (id: string, outcome?: DeliveryOutcome) =>
  infiniteQueryOptions({
    queryKey: ['webhook', id, 'deliveries', outcome ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      get<DeliveryPage>(`/web/webhooks/${id}/deliveries`, { outcome, before: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    // Who opens the list wants what came just now.
    staleTime: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** What one click would replay. */
export const toReplayQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id, 'refused'],
    queryFn: async ({ signal }) => (await get<Data<ReplayableCount>>(`/web/webhooks/${id}/replay`, {}, signal)).data,
  })

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async ({ signal }) => (await get<Data<ShownDelivery>>(`/web/deliveries/${id}`, {}, signal)).data,
    placeholderData: undefined,
  })

/** How a delivery would be read under a mapping, saved or not. */
export const readingQuery = (deliveryId: string, mapping: Mapping) =>
  queryOptions({
    queryKey: ['delivery', deliveryId, 'reading', mapping],
    queryFn: async () => (await post<Data<Reading>>(`/web/deliveries/${deliveryId}/reading`, { mapping })).data,
    placeholderData: keepPreviousData,
  })

export const trialQuery = (webhookId: string, mapping: Mapping) =>
  queryOptions({
    queryKey: ['webhook', webhookId, 'trial', mapping],
    queryFn: async () => (await post<Data<MappingDryRun>>(`/web/webhooks/${webhookId}/trial`, { mapping })).data,
    placeholderData: keepPreviousData,
  })

export async function changeWebhook(id: string, change: WebhookChange) {
  const { data } = await patch<Data<ShownWebhook>>(`/web/webhooks/${id}`, change)
  queryClient.setQueryData(webhookQuery(id).queryKey, data)
  // What deliveries would be read as depends on how the webhook is set up.
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
    queryClient.invalidateQueries({ queryKey: ['webhook', id, 'trial'] }),
    queryClient.invalidateQueries({ queryKey: ['delivery'] }),
  ])
  return data
}

/** After something came, or was replayed. */
export const deliveriesChanged = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['webhook', id] }),
    queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
    queryClient.invalidateQueries({ queryKey: ['delivery'] }),
    refreshLeads(),
  ])
