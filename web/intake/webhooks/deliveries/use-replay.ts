import { useState } from 'react'
import type { RecordCounts, ReplayedDeliveries, ReplayFilter } from '#contract/intake/webhooks'
import { type Data, post } from '../../../platform/api/api.ts'
import { deliveriesChanged } from '../queries.ts'
import { replayedCount } from '../record-words.ts'
import { emptyRun, withResults } from './replay-run.ts'

export interface ReplayState {
  busy: boolean
  done: number
  counts: RecordCounts
  error: unknown
  /** The last one, if there are more after it. */
  after?: string | undefined
}

/** Deliveries of one run: then the user decides whether to go on. */
const maxPerRun = 5000

/** Replays deliveries of a webhook part by part, the oldest first. */
export function useReplay(webhookId: string, filter: ReplayFilter) {
  const [state, setState] = useState<ReplayState | null>(null)
  const start = async (from?: string) => {
    let run = emptyRun
    const show = (more: { busy: boolean; error?: unknown; after?: string | undefined }) =>
      setState({ done: replayedCount(run.counts), counts: run.counts, error: null, ...more })
    show({ busy: true })
    try {
      let after = from
      for (let sent = 0; sent < maxPerRun; ) {
        const { data }: Data<ReplayedDeliveries> = await post(`/web/webhooks/${webhookId}/replay`, { ...filter, after })
        run = withResults(run, data.results)
        sent += data.results.length
        show({ busy: true })
        after = data.next ?? undefined
        if (data.next === null) break
      }
      show({ busy: false, after })
    } catch (error) {
      show({ busy: false, error })
    }
    await deliveriesChanged(webhookId)
  }
  return { state, start: (after?: string) => void start(after), clear: () => setState(null) }
}
