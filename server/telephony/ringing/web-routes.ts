import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { msg } from '@lingui/core/runtime-macro'
import { type Account, findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import { unseenLead } from '../../crm/leads/unseen-lead.ts'
import { asActor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { IdParameter } from '../../platform/http/contract.ts'
import { instantText } from '../../platform/http/instants.ts'
import { notFound } from '../../platform/http/problem.ts'
import { callOf } from '../calls/join-events.ts'
import { noteAnswered } from '../calls/note-answered.ts'
import { answeredBy } from '../calls/phone-calls.ts'
import { CallNote, type RingingCall } from './contract.ts'
import { lastNote } from './last-note.ts'
import { type RingingRow, readRinging, readUnseenLeads } from './read-ringing.ts'

const maxNames = 5

/** The calls that ring for the caller, and notes of those that they answered. */
export const ringingRoutes =
  (database: Database, clock: () => Date): FastifyPluginAsyncTypebox =>
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
        .filter(
          (row) => !isCorrected(row) && (!hasUnseenLog(row) || mayNote(row, userId) || mayCallBack(row, userId, rows)),
        )
        .map((row) => {
          const unseen_lead = (row.lead === null && row.lead_id !== null && unseenOf.get(row.lead_id)) || null
          const phone = row.lead || isUnassigned(row) ? row.phone : null
          return { ...answer(row, userId, account), phone, unseen_lead }
        })
      return { data }
    })

    app.put(
      '/ringing/:id/note',
      { schema: { params: IdParameter, body: CallNote } },
      async ({ webCaller, params: { id }, body }) => {
        const note = { id, notes: body.notes?.trim() || null, at: clock() }
        if (!(await asActor(database, forWholeAccount(webCaller), (tx) => noteAnswered(tx, webCaller, note))))
          throw notFound(msg`You answered no such call, or another user has logged it.`)
        return { data: { id } }
      },
    )
  }

const hasUnseenLog = ({ state, call_log_id, log }: RingingRow) => state === 'ended' && call_log_id !== null && !log

/** Whether the user answered, and sees no lead to log the call with. */
const mayNote = (row: RingingRow, userId: string) =>
  row.lead === null && row.lead_id !== null && !row.facts.logged && answeredBy(row) === userId

/** Whether the user was rung, missed an unassigned lead, and has no newer call with it. */
const mayCallBack = (row: RingingRow, userId: string, rows: RingingRow[]) =>
  isUnassigned(row) &&
  row.call_type === 'Inbound' &&
  row.user_ids.includes(userId) &&
  endedCall(row)?.outcome === 'Missed' &&
  !rows.some(({ lead_id, started_at }) => lead_id === row.lead_id && started_at > row.started_at)

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
    may_note: mayNote(row, userId),
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
