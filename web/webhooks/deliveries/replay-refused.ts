import { useState } from 'react'
import type { RecordCounts, ReplayedDeliveries } from '#contract/webhooks'
import { type Data, post } from '../../api.ts'
import { deliveriesChanged } from '../queries.ts'
import { replayedOf } from '../record-words.ts'

export interface ReplayState {
  busy: boolean
  done: number
  counts: RecordCounts
  error: unknown
}

const none: ReplayState = {
  busy: false,
  done: 0,
  counts: { created: 0, merged: 0, duplicate: 0, rejected: 0, ignored: 0, test: 0, waiting: 0 },
  error: null,
}

/** Replays all refused deliveries of a webhook, part by part. */
export function useReplayRefused(webhookId: string) {
  const [state, setState] = useState<ReplayState | null>(null)
  const start = async () => {
    let now: ReplayState = { ...none, busy: true }
    setState(now)
    try {
      for (let after: string | undefined; ; ) {
        const { data }: Data<ReplayedDeliveries> = await post(`/web/webhooks/${webhookId}/replay`, { after })
        const counts = { ...now.counts }
        for (const { outcome, records } of data.results) {
          if (!records) counts[outcome]++
          else for (const [name, count] of Object.entries(records)) counts[name as keyof RecordCounts] += count
        }
        now = { ...now, done: replayedOf(counts), counts }
        setState(now)
        if (data.next === null) break
        after = data.next
      }
      setState({ ...now, busy: false })
    } catch (error) {
      setState({ ...now, busy: false, error })
    }
    await deliveriesChanged(webhookId)
  }
  return { state, start: () => void start(), forget: () => setState(null) }
}
