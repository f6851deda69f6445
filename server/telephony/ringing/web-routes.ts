import type { FastifyPluginAsync } from 'fastify'
import { type Account, findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import { unseenLead } from '../../crm/leads/unseen-lead.ts'
import { forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import { callOf } from '../calls/join-events.ts'
import type { RingingCall } from './contract.ts'
import { lastNote } from './last-note.ts'
import { type RingingRow, readRinging, readUnseenLeads } from './read-ringing.ts'

const maxNames = 5

/** The calls that ring for the caller. */
export const ringingRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsync =>
  async (app) => {
    app.get('/ringing', async ({ webCaller }) => {
      const { account_id: accountId, user_id: userId, user } = webCaller
      const account = await findAccount(database, accountId)
      const concerned = { accountId, userId, isAdmin: user.role === 'Admin', now: clock() }
      const rows = await readAsActor(database, webCaller, (tx) => readRinging(tx, concerned))
      const unseenIds = rows.flatMap(({ lead, lead_id }) => (lead === null && lead_id !== null ? [lead_id] : []))
      const unseen =
        unseenIds.length === 0
          ? []
          : await readAsActor(database, forWholeAccount(webCaller), (tx) => readUnseenLeads(tx, accountId, unseenIds))
      const unseenOf = new Map(unseen.map((lead) => [lead.id, unseenLead(lead)]))
      const data = rows
        .filter((row) => !isCorrected(row))
        .map((row) => {
          const unseen_lead = (row.lead === null && row.lead_id !== null && unseenOf.get(row.lead_id)) || null
          const phone = row.lead || isUnassigned(row) ? row.phone : null
          return { ...answer(row, userId, account), phone, unseen_lead }
        })
      return { data }
    })
  }

const endedCall = ({ state, facts, started_at }: RingingRow) =>
  state === 'ended' ? callOf(facts, instantText(started_at)) : null

/** Whether a user has logged a call that has ended, or changed what the telephone system reported. */
function isCorrected(row: RingingRow): boolean {
  const ended = endedCall(row)
  if (ended !== null && row.facts.logged) return true
  return row.log !== null && ended !== null && (row.log.outcome !== ended.outcome || row.log.notes !== ended.notes)
}

/** Then a call concerns Admins, who see the lead, and the users who are rung: their phone shows its number anyway. */
const isUnassigned = ({ lead_id, assigned_to }: RingingRow) => lead_id !== null && assigned_to === null

function answer(row: RingingRow, userId: string, account: Account): Omit<RingingCall, 'phone' | 'unseen_lead'> {
  const { users } = account
  const { id, state, call_type, facts, log } = row
  const changed_at = instantText(row.changed_at)
  const ended = endedCall(row)
  return {
    id,
    state,
    call_type,
    started_at: instantText(row.started_at),
    answered_at: facts.answered_at?.value ?? (state === 'answered' ? changed_at : null),
    ended_at: ended && (facts.ended_at?.value ?? changed_at),
    outcome: ended?.outcome ?? null,
    duration_seconds: ended?.duration_seconds ?? null,
    call_log_id: log?.id ?? null,
    is_own: row.user_ids.includes(userId),
    users: users
      .filter((user) => row.user_ids.includes(user.id))
      .slice(0, maxNames)
      .map(({ name }) => name),
    owner: row.lead ? ownerOf(row, account) : nameOfHiddenOwner(account, row.assigned_to),
    is_unassigned: isUnassigned(row),
    lead: row.lead && leadOf(row.lead),
  }
}

const ownerOf = ({ assigned_to }: RingingRow, { users }: Account) =>
  users.find(({ id }) => id === assigned_to)?.name ?? null

function leadOf({ notes, ...lead }: NonNullable<RingingRow['lead']>): RingingCall['lead'] {
  return { ...lead, last_note: lastNote(notes) }
}
