import { isClosed, type LeadStatus } from './fields.ts'

/** When the owner of a lead wants to call it again, or why there is no next step. */
export interface NextStep {
  call_again_at: Date | null
  no_next_step: string | null
}

/**
 * Returns the next step of a lead after a change. What is `wanted` is what a user says of it. Otherwise closing a lead ends its next step, and
 * a reason for none lasts until the lead has another status or a time to call again.
 */
export function nextStepAfter(
  { call_again_at, no_next_step }: NextStep,
  wanted: { [Field in keyof NextStep]?: NextStep[Field] | undefined },
  status: { before: LeadStatus; after: LeadStatus },
): NextStep {
  const isEnded = wanted.no_next_step || (!isClosed(status.before) && isClosed(status.after))
  const isOutdated = wanted.call_again_at || status.before !== status.after
  return {
    call_again_at: wanted.call_again_at !== undefined ? wanted.call_again_at : isEnded ? null : call_again_at,
    no_next_step: wanted.no_next_step !== undefined ? wanted.no_next_step : isOutdated ? null : no_next_step,
  }
}
