import { useMutation, useQuery } from '@tanstack/react-query'
import type { NotificationSettings } from '#contract/selling/notifications'
import { type Data, patch } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { notifyProblem } from '../../platform/ui/notify.tsx'
import { startPush, stopPush } from './push.ts'
import { deviceQuery, notificationsQuery, refreshDevice } from './queries.ts'

/** The state of this device, and how to change it. */
export function usePush() {
  const { data: settings } = useQuery(notificationsQuery)
  const { data: device } = useQuery(deviceQuery)
  const turn = useMutation({
    mutationFn: async (on: boolean) => {
      if (!on) return stopPush()
      await startPush(settings!)
      // The user turned off all devices before.
      if (!settings!.by_push) await patch<Data<NotificationSettings>>('/web/notifications', { by_push: true })
    },
    onSettled: () =>
      Promise.all([refreshDevice(), queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey })]),
    onError: (error) => {
      // The user said no: the state says what to do.
      if (!(error instanceof DOMException && error.name === 'NotAllowedError')) notifyProblem(error)
    },
  })
  return { settings, device: settings && device, turn }
}
