import { useState } from 'react'
import type { RecordCounts, ReplayedDeliveries } from '#contract/intake/webhooks'
import { type Data, post } from '../../../platform/api/api.ts'
import { deliveriesChanged } from '../queries.ts'
import { replayedCount } from '../record-words.ts'
import { emptyRun, withResults } from './replay-run.ts'

export interface ReplayState {
  busy: boolean
  done: number
  counts: RecordCounts
  error: unknown
}

/** Replays all rejected deliveries of a webhook, part by part. */
export function useReplayRejected(webhookId: string) {
  const [state, setState] = useState<ReplayState | null>(null)
  const start = async () => {
    let run = emptyRun
    const show = (more: { busy: boolean; error?: unknown }) =>
      setState({ done: replayedCount(run.counts), counts: run.counts, error: null, ...more })
    show({ busy: true })
    try {
      for (let after: string | undefined; ; ) {
        const { data }: Data<ReplayedDeliveries> = await post(`/web/webhooks/${webhookId}/replay`, { after })
        run = withResults(run, data.results)
        show({ busy: true })
        if (data.next === null) break
        after = data.next
      }
      show({ busy: false })
    } catch (error) {
      show({ busy: false, error })
    }
    await deliveriesChanged(webhookId)
  }
  return { state, start: () => void start(), clear: () => setState(null) }
}
