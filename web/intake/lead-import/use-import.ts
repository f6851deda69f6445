import { useEffect, useRef, useState } from 'react'
import type { ImportCounts, ImportEvent, SharedContact } from '#contract/intake/lead-import'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { ApiProblem } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.ts'
import { type Columns, importFile, type Layout, previewKey, type RowDefaults } from './send-file.ts'

type RejectedRow = Omit<Extract<ImportEvent, { type: 'rejected' }>, 'type'>
type WarnedRow = Omit<Extract<ImportEvent, { type: 'warned' }>, 'type'>

export interface ImportState {
  /** `lost`: no connection. `cancelled`: by the user. `stopped`: by the server. `rejected`: rejected before it started. */
  phase: 'sending' | 'running' | 'done' | 'cancelled' | 'lost' | 'stopped' | 'rejected'
  /** Null until it starts. */
  id: string | null
  rows: number
  counts: ImportCounts
  columns: string[]
  rejected: RejectedRow[]
  warned: WarnedRow[]
  shared: SharedContact[]
  error: unknown
}

export interface ImportOrder extends RowDefaults {
  file: File
  columns: Columns
  layout: Layout
  values: Record<string, string>
}

const newImport = (): ImportState => ({
  phase: 'sending',
  id: null,
  rows: 0,
  counts: { read: 0, created: 0, merged: 0, rejected: 0, calls: 0 },
  columns: [],
  rejected: [],
  warned: [],
  shared: [],
  error: null,
})

export const isRunning = (state: ImportState | null) => state?.phase === 'sending' || state?.phase === 'running'

/** At most one update per this many milliseconds. */
const showEveryMs = 150

export function useImport() {
  const [state, setState] = useState<ImportState | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async ({ file, ...settings }: ImportOrder) => {
    const stop = new AbortController()
    running.current = stop
    const tally = newImport()
    let shownAt = 0
    const show = () => {
      shownAt = Date.now()
      setState({ ...tally, rejected: [...tally.rejected], warned: [...tally.warned] })
    }
    show()
    try {
      for await (const news of importFile(file, settings, stop.signal)) {
        take(tally, news)
        if (Date.now() - shownAt > showEveryMs) show()
      }
      if (tally.phase === 'running' || tally.phase === 'sending') tally.phase = 'lost'
    } catch (error) {
      tally.phase = stop.signal.aborted ? 'cancelled' : isRejectedAtStart(tally, error) ? 'rejected' : 'lost'
      tally.error = error
    }
    tally.counts.rejected = Math.max(tally.counts.rejected, tally.rejected.length)
    show()
    void refreshLeads()
    void queryClient.invalidateQueries({ queryKey: previewKey })
  }

  return { state, start, cancel: () => running.current?.abort(), reset: () => setState(null) }
}

function take(tally: ImportState, news: ImportEvent): void {
  if (news.type === 'started') {
    tally.phase = 'running'
    tally.id = news.id
    tally.rows = news.rows
    tally.columns = news.columns.map(({ name }) => name)
  } else if (news.type === 'rejected') {
    tally.rejected.push(news)
  } else if (news.type === 'warned') {
    tally.warned.push(news)
  } else if (news.type === 'shared') {
    tally.shared.push(news)
  } else {
    const { read, created, merged, rejected, calls } = news
    tally.counts = { read, created, merged, rejected, calls }
    if (news.type === 'done') tally.phase = 'done'
    else if (news.type === 'stopped') tally.phase = 'stopped'
  }
}

const isRejectedAtStart = ({ phase }: ImportState, error: unknown) =>
  phase === 'sending' && error instanceof ApiProblem && error.status !== 0
