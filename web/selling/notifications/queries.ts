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

export interface Assigned {
  newest: number
  /** What came with the last refresh. */
  came: Notices['notices']
}

/** The notices of the user since the last refresh; none at first. */
export const assignedQuery = queryOptions({
  queryKey: ['assigned'],
  queryFn: async ({ signal, client, queryKey }): Promise<Assigned> => {
    const after = client.getQueryData<Assigned>(queryKey)?.newest
    const { data } = await get<Data<Notices>>('/web/notices', { after }, signal)
    return { newest: data.newest, came: data.notices }
  },
  meta: { ...liveWhenHidden, ...liveOfOthers },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
})
