import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { type Caller, callerId } from '../../access/sign-in/caller.ts'
import type { WebCaller } from '../../access/sign-in/require-session.ts'
import { recordOnTimeline } from '../../crm/timeline/record.ts'
import { callDeletedSummary } from '../../crm/timeline/summaries.ts'
import { asActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound } from '../../platform/http/problem.ts'
import { type DeletedCall, deleteCallLog } from './store.ts'

/** Deletes a call log permanently. The timeline of its lead keeps an entry. `check` throws if the actor may not delete the call. */
export async function removeCall(
  database: Database,
  actor: Caller | WebCaller,
  id: string,
  { at, check }: { at: Date; check?: (call: DeletedCall) => void },
): Promise<void> {
  const { account_id, via, via_id } = actor
  await asActor(database, actor, async (tx) => {
    const call = await deleteCallLog(tx, account_id, id)
    if (!call) throw notFound(msg`There is no such call log.`)
    check?.(call)
    const lead = { account_id, id: call.lead_id, assigned_to: call.assigned_to }
    const summary = callDeletedSummary(callerId(actor), call)
    await recordOnTimeline(tx, lead, { at, kind: 'call_deleted', summary, details: { via, via_id, call_log_id: id } })
    await recordAudit(tx, actor, { action: 'call_log.deleted', subject_id: id })
  })
}
