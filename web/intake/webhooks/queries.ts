import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DeliveryPreview } from '#contract/intake/payload'
import type {
  DeliveryPage,
  ListedWebhook,
  MappingDryRun,
  ReplayableCount,
  ReplayFilter,
  ShownDelivery,
  ShownWebhook,
  WebhookChange,
} from '#contract/intake/webhooks'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { type Data, get, patch, post } from '../../platform/api/api.ts'
import { queryClient, sendChange } from '../../platform/api/query.ts'
import { dateRange } from '../../platform/ui/days.ts'
import type { WebhookSearch } from './webhook-search.ts'

export type Mapping = ShownWebhook['mapping']

export const webhookKeys = {
  list: ['webhooks'],
  one: (id: string) => ['webhook', id],
  deliveries: (id: string) => [...webhookKeys.one(id), 'deliveries'],
  replayable: (id: string) => [...webhookKeys.one(id), 'replayable'],
  dryRuns: (id: string) => [...webhookKeys.one(id), 'dry-run'],
} as const

const deliveryKeys = {
  all: ['delivery'],
  one: (id: string) => [...deliveryKeys.all, id],
} as const

/** Whether the webhook has received nothing yet, not even a test. */
export const isWaiting = ({ proposal, last_delivery }: ShownWebhook) => proposal === null && last_delivery === null

export const webhooksQuery = queryOptions({
  queryKey: webhookKeys.list,
  queryFn: async ({ signal }) => (await get<Data<ListedWebhook[]>>('/web/webhooks', {}, signal)).data,
  refetchInterval: 30_000,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: webhookKeys.one(id),
    queryFn: async ({ signal }) => (await get<Data<ShownWebhook>>(`/web/webhooks/${id}`, {}, signal)).data,
    placeholderData: undefined,
    refetchInterval: ({ state: { data } }) => (data && isWaiting(data) ? 2000 : 5000),
  })

export function deliveriesQuery(id: string, { outcome, search, ...days }: WebhookSearch) {
  const asked = { outcome, search, ...dateRange(days) }
  return infiniteQueryOptions({
    queryKey: [...webhookKeys.deliveries(id), asked],
    queryFn: ({ pageParam, signal }) =>
      get<DeliveryPage>(`/web/webhooks/${id}/deliveries`, { ...asked, before: pageParam, limit: 50 }, signal),
    initialPageParam: undefined as string | undefined,
    // An opened list shows what was received just now.
    staleTime: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** What the replay button would replay. */
export const replayableQuery = (id: string, filter: ReplayFilter) =>
  queryOptions({
    queryKey: [...webhookKeys.replayable(id), filter],
    queryFn: async ({ signal }) =>
      (await get<Data<ReplayableCount>>(`/web/webhooks/${id}/replay`, filter, signal)).data,
    // The number of other deliveries does not apply.
    placeholderData: undefined,
  })

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: deliveryKeys.one(id),
    queryFn: async ({ signal }) => (await get<Data<ShownDelivery>>(`/web/deliveries/${id}`, {}, signal)).data,
    placeholderData: undefined,
  })

/** The preview of a delivery with the current settings of its webhook. */
export const currentPreviewQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveryKeys.one(deliveryId), 'preview'],
    queryFn: async ({ signal }) =>
      (await get<Data<DeliveryPreview>>(`/web/deliveries/${deliveryId}/preview`, {}, signal)).data,
    placeholderData: undefined,
  })

/** The preview of a delivery under a mapping, saved or not. */
export const previewQuery = (deliveryId: string, mapping: Mapping) =>
  queryOptions({
    queryKey: [...deliveryKeys.one(deliveryId), 'preview', mapping],
    queryFn: async () =>
      (await post<Data<DeliveryPreview>>(`/web/deliveries/${deliveryId}/preview`, { mapping }, { isRead: true })).data,
    placeholderData: keepPreviousData,
  })

export const dryRunQuery = (webhookId: string, mapping: Mapping) =>
  queryOptions({
    queryKey: [...webhookKeys.dryRuns(webhookId), mapping],
    queryFn: async () =>
      (await post<Data<MappingDryRun>>(`/web/webhooks/${webhookId}/dry-run`, { mapping }, { isRead: true })).data,
    placeholderData: keepPreviousData,
  })

export async function changeWebhook(id: string, change: WebhookChange) {
  const { data } = await sendChange(webhookQuery(id), () => patch<Data<ShownWebhook>>(`/web/webhooks/${id}`, change))
  // Previews depend on the settings of the webhook.
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: webhookKeys.list }),
    queryClient.invalidateQueries({ queryKey: webhookKeys.dryRuns(id) }),
    queryClient.invalidateQueries({ queryKey: deliveryKeys.all }),
  ])
  return data
}

/** Invalidates what a received or replayed delivery changes. */
export const deliveriesChanged = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: webhookKeys.one(id) }),
    queryClient.invalidateQueries({ queryKey: webhookKeys.list }),
    queryClient.invalidateQueries({ queryKey: deliveryKeys.all }),
    refreshLeads(),
  ])
