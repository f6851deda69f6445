import { queryOptions } from '@tanstack/react-query'
import type { Notices, NotificationSettings } from '#contract/selling/notifications'
import { type Data, get } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { liveOfOthers, liveWhenHidden } from '../../platform/live/refresh.ts'
import { isPushOn, type PushProblem, pushProblem } from './push.ts'

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: async ({ signal }) => (await get<Data<NotificationSettings>>('/web/notifications', {}, signal)).data,
  staleTime: 300_000,
})

/** Whether this browser gets push messages, or why it cannot. */
export const deviceQuery = queryOptions({
  queryKey: ['push-device'],
  queryFn: async (): Promise<PushProblem | 'on' | 'off'> => pushProblem() ?? ((await isPushOn()) ? 'on' : 'off'),
  staleTime: 0,
})

export const refreshDevice = () => queryClient.invalidateQueries({ queryKey: deviceQuery.queryKey })

const maxNotices = 100

/** The notices of the user since the page was opened. */
export const assignedQuery = queryOptions({
  queryKey: ['assigned'],
  queryFn: async ({ signal, client, queryKey }): Promise<Notices> => {
    const before = client.getQueryData<Notices>(queryKey)
    const { data } = await get<Data<Notices>>('/web/notices', { after: before?.newest }, signal)
    return { ...data, notices: [...data.notices, ...(before?.notices ?? [])].slice(0, maxNotices) }
  },
  meta: { ...liveWhenHidden, ...liveOfOthers },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
})
