import { queryOptions } from '@tanstack/react-query'
import type {
  NewQuickReply,
  OpenedWhatsApp,
  QuickReplies,
  QuickReply,
  QuickReplyChange,
} from '#contract/telephony/quick-replies'
import { auditKeys } from '../../access/audit/queries.ts'
import { leadKeys } from '../../crm/leads/keys.ts'
import { type Data, get, patch, post, put, remove } from '../../platform/api/api.ts'
import { offline } from '../../platform/api/offline-answers.ts'
import { queryClient, sendChange } from '../../platform/api/query.ts'

/** Whose quick replies. */
export type Holder = keyof QuickReplies

export const quickRepliesQuery = queryOptions({
  queryKey: ['quick-replies'],
  queryFn: async ({ signal }) => (await get<Data<QuickReplies>>('/web/quick-replies', {}, signal)).data,
  staleTime: 300_000,
  meta: offline,
})

const urls: Record<Holder, string> = { account: '/web/quick-replies', own: '/web/profile/quick-replies' }

/** Each change takes the list that the server answers. */
export const quickReplyChanges = (holder: Holder) => {
  const url = urls[holder]
  const take = async (send: () => Promise<Data<QuickReply[]>>) => {
    await sendChange(quickRepliesQuery, async () => {
      const { data } = await send()
      return { data: { ...queryClient.getQueryData(quickRepliesQuery.queryKey)!, [holder]: data } }
    })
    if (holder === 'account') void queryClient.invalidateQueries({ queryKey: auditKeys.all })
  }
  return {
    add: (reply: NewQuickReply) => take(() => post(url, reply)),
    change: (id: string, change: QuickReplyChange) => take(() => patch(`${url}/${id}`, change)),
    move: (id: string, position: number) => take(() => put(`${url}/${id}/position`, { position })),
    remove: (id: string) => take(() => remove(`${url}/${id}`)),
  }
}

/** Notes on the timeline that WhatsApp was opened. The request goes on when the app of a phone covers the page. */
export async function noteWhatsAppOpened(leadId: string, opened: OpenedWhatsApp): Promise<void> {
  await post(`/web/leads/${leadId}/whatsapp`, opened, { keepalive: true })
  await queryClient.invalidateQueries({ queryKey: leadKeys.one(leadId) })
}
