import { enquiryPreview } from '../../crm/enquiries/store.ts'
import { unseenColumns } from '../../crm/leads/unseen-lead.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import type { CallState } from '../calls/call-event.ts'
import type { CallLog, CallType } from '../calls/contract.ts'
import type { CallFacts } from '../calls/join-events.ts'
import { lastCallNotes } from '../calls/last-call-notes.ts'
import { maxRinging, type RingingLead } from './contract.ts'

/**
 * In milliseconds, since the last event of a call. The event of its end may be lost, and no one hears a phone for ten minutes. A call
 * that has ended is shown to pages that were hidden meanwhile.
 */
const shownFor = { ringing: 600_000, answered: 7_200_000, ended: 120_000 }
/** In characters, of which `lastNote` finds the last note. */
const notesLength = 2000
const callNotesLength = 200

/** A leg that ended, and perhaps goes on as another call, rings no more. */
const hasEnded = { state: { value: 'ended' } }

export interface Concerned {
  accountId: string
  userId: string
  isAdmin: boolean
  now: Date
}

export interface RingingRow {
  id: string
  lead_id: string | null
  assigned_to: string | null
  user_ids: string[]
  state: CallState
  call_type: CallType
  started_at: Date
  changed_at: Date
  facts: CallFacts
  call_log_id: string | null
  phone: string | null
  log: Pick<CallLog, 'id' | 'outcome' | 'notes'> | null
  lead: (Omit<RingingLead, 'last_note'> & { notes: string | null }) | null
}

/**
 * Reads the calls of a user that ring, are answered, or have ended just now and were not called back, newest first. Row-level security
 * shows a lead and a call log to those who see them. `concerned-users.ts` says who is concerned. A call that has ended is shown since it
 * was logged, or since its end to users who do not see its log: later events, such as of a recording, do not show it again.
 * `web-routes.ts` leaves it out for those who neither answered nor can call back.
 */
export function readRinging(tx: TransactionSql, { accountId, userId, isAdmin, now }: Concerned) {
  const since = (state: CallState) => tx`changed_at > ${new Date(now.getTime() - shownFor[state])}`
  const isConcerned = tx`(${userId} = any (user_ids)
    or call_type = 'Inbound' and (assigned_to = ${userId} or ${isAdmin} and assigned_to is null and lead_id is not null))`
  return tx<RingingRow[]>`
    with open as (
      select * from phone_calls
      where account_id = ${accountId} and state <> 'ended' and ${since('answered')}
        and (state = 'answered' or ${since('ringing')} and not facts @> ${tx.json(hasEnded)})
        and ${isConcerned}
      order by changed_at desc limit ${maxRinging}
    ), ended as (
      select * from phone_calls where account_id = ${accountId} and state = 'ended' and ${since('ended')} and ${isConcerned}
      order by changed_at desc limit ${4 * maxRinging}
    )
    select call.id, call.lead_id, call.assigned_to, call.user_ids, call.state, call.call_type, call.started_at, call.changed_at,
      call.facts, call.call_log_id, call.phone,
      case when log.id is not null then json_build_object('id', log.id, 'outcome', log.outcome, 'notes', log.notes) end as log,
      case when lead.id is not null then json_build_object(
        'id', lead.id, 'name', lead.name, 'phone', lead.phone, 'status', lead.status, 'source', lead.source, 'city', lead.city,
        'call_again_at', left(to_json(lead.call_again_at)#>>'{}', 19) || 'Z',
        'notes', right(lead.notes, ${notesLength}), 'enquiry', ${enquiryPreview(tx, accountId, tx`lead.id`)},
        'last_call', (
          select json_build_object('called_at', left(to_json(called_at)#>>'{}', 19) || 'Z', 'outcome', outcome)
          from call_logs where account_id = ${accountId} and lead_id = lead.id and id is distinct from call.call_log_id
          order by called_at desc, id desc limit 1
        ),
        'last_call_notes', ${lastCallNotes(tx, accountId, tx`lead.id`, { length: callNotesLength, except: tx`call.call_log_id` })}
      ) end as lead
    from (select * from open union all select * from ended) call
    left join leads lead on lead.account_id = ${accountId} and lead.id = call.lead_id
    left join call_logs log on log.account_id = ${accountId} and log.id = call.call_log_id
    where call.state <> 'ended' or call.call_log_id is null or (
        log.created_at > ${new Date(now.getTime() - shownFor.ended)} and not exists (
          select from call_logs later where later.account_id = ${accountId} and later.lead_id = log.lead_id
            and later.created_at > log.created_at and later.id <> log.id
        )
      ) or log.id is null and not call.facts ? 'logged'
        and (call.facts ? 'answered' or call.facts #>> '{outcome,value}' = 'Completed'
          or call.assigned_to is null and call.call_type = 'Inbound')
        and (call.facts #>> '{end_received,value}')::timestamptz > ${new Date(now.getTime() - shownFor.ended)}
    order by call.started_at desc, call.id desc limit ${maxRinging}`
}

export interface UnseenRow {
  id: string
  name: string
  product: string | null
  source: string
  city: string | null
}

/** Runs for the whole account, because the user does not see the leads. */
export function readUnseenLeads(tx: TransactionSql, accountId: string, ids: string[]): Promise<UnseenRow[]> {
  return tx<UnseenRow[]>`select id, ${tx(unseenColumns)} from leads
    where account_id = ${accountId} and id = any (${ids})`
}
