import { msg } from '@lingui/core/runtime-macro'
import { readDuration } from '../../platform/http/parse-time.ts'
import type { Text } from '../../platform/languages/translate.ts'
import type { CallOutcome, CallType } from '../../telephony/calls/contract.ts'
import { lines } from '../payload/lead-draft.ts'
import { callOutcomeNamed, callTypeNamed } from './known-values.ts'

/** The call that a row contains. */
export interface RowCall {
  called_at: Date
  call_type: CallType
  duration_seconds: number
  outcome: CallOutcome
  notes: string | null
}

export interface CallCells {
  called_at: Date
  type: string | undefined
  duration: string | undefined
  durationUnit: 'seconds' | 'minutes'
  outcome: string | undefined
  notes: string | undefined
}

const maxNotesLength = 20_000
const maxDurationSeconds = 2_147_483_647

/** Reads a call. Unknown outcome words, such as a disposition, are kept in its notes. */
export function readCall(cells: CallCells): { call: RowCall; warnings: Text[] } {
  const warnings: Text[] = []
  const kept: string[] = []
  const duration = cells.duration === undefined ? 0 : readDuration(cells.duration, cells.durationUnit)
  if (duration === undefined || duration > maxDurationSeconds) {
    warnings.push(msg`“${{ value: short(cells.duration!) }}” is not a duration; 0 seconds are logged`)
    kept.push(`Duration: ${short(cells.duration!)}`)
  }
  const seconds = duration === undefined || duration > maxDurationSeconds ? 0 : duration
  // Phones write "Missed" where others write incoming or outgoing.
  const named =
    callOutcomeNamed(cells.outcome ?? '') ?? (seconds === 0 ? callOutcomeNamed(cells.type ?? '') : undefined)
  const isMissed = named === 'Missed'
  const call_type = callTypeNamed(cells.type ?? '') ?? (isMissed ? 'Inbound' : 'Outbound')
  if (cells.type !== undefined && callTypeNamed(cells.type) === undefined) kept.push(`Type: ${short(cells.type)}`)
  if (cells.outcome !== undefined && callOutcomeNamed(cells.outcome) === undefined) {
    kept.push(`Outcome: ${short(cells.outcome)}`)
  }
  const silent = call_type === 'Inbound' ? 'Missed' : 'No Answer'
  const isUnanswered = seconds === 0 && cells.duration !== undefined
  const outcome = named ?? (isUnanswered ? silent : 'Completed')
  const notes = [lines(cells.notes ?? ''), ...kept].filter(Boolean).join('\n').slice(0, maxNotesLength).toWellFormed()
  const { called_at } = cells
  return { call: { called_at, call_type, duration_seconds: seconds, outcome, notes: notes || null }, warnings }
}

const short = (text: string) => (lines(text) ?? '').slice(0, 200).toWellFormed()
