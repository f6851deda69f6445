import { randomUUID } from 'node:crypto'
import { msg } from '@lingui/core/runtime-macro'
import { checkHours } from '../../access/account/change-account.ts'
import { type Absence, parseDays } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, changeAsActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { instantText, istDay } from '../../platform/http/instants.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import { type AvailabilityChange, maxAbsences, type NewAbsence } from './contract.ts'

interface Asked {
  actor: Actor
  userId: string
  now: Date
}

/** Sets the working hours of a user; null: those of the account. Returns the hours before. */
export async function changeHours(
  database: Database,
  { actor, userId }: Asked,
  { working_hours: hours }: AvailabilityChange,
): Promise<AvailabilityChange> {
  if (hours) checkHours(hours)
  const stored = hours
    ? { ...hours, work_days: hours.work_days.toSorted().join('') }
    : { work_days: null, work_from: null, work_until: null }
  return changeUser(database, actor, async (tx) => {
    const [before] = await tx<{ work_days: string | null; work_from: number; work_until: number }[]>`
      select work_days, work_from, work_until from users
      where account_id = ${actor.account_id} and id = ${userId} for no key update`
    if (!before) throw noUser()
    await tx`update users set work_days = ${stored.work_days}, work_from = ${stored.work_from},
        work_until = ${stored.work_until}, updated_at = ${new Date()}
      where account_id = ${actor.account_id} and id = ${userId}`
    await recordAudit(tx, actor, {
      action: 'user.hours_changed',
      subject_id: userId,
      details: hours ?? { work_days: null },
    })
    const { work_days, ...times } = before
    return { working_hours: work_days === null ? null : { work_days: parseDays(work_days), ...times } }
  })
}

/** Adds leave of whole days, or an absence from now on. Returns its id. */
export async function addAbsence(
  database: Database,
  { actor, userId, now }: Asked,
  wanted: NewAbsence,
): Promise<string> {
  const absence = { id: randomUUID(), ...spanOf(wanted, now) }
  await changeUser(database, actor, async (tx) => {
    const kept = await lockAbsences(tx, { actor, userId, now })
    if (kept.length >= maxAbsences)
      throw invalid(msg`A user has at most ${{ maxAbsences }} absences. Delete one first.`)
    await writeAbsences(tx, actor, userId, [...kept, absence])
    const details = { from: instantText(absence.from), until: instantText(absence.until) }
    await recordAudit(tx, actor, { action: 'user.away', subject_id: userId, details })
  })
  return absence.id
}

/** Deletes an absence, also the present one. */
export async function removeAbsence(database: Database, asked: Asked, id: string): Promise<void> {
  const { actor, userId } = asked
  await changeUser(database, actor, async (tx) => {
    const kept = await lockAbsences(tx, asked)
    const left = kept.filter((one) => one.id !== id)
    if (left.length === kept.length) throw notFound(msg`There is no such absence.`)
    await writeAbsences(tx, actor, userId, left)
    await recordAudit(tx, actor, { action: 'user.back', subject_id: userId })
  })
}

export const maxLeaveDays = 400

function spanOf({ from, until }: NewAbsence, now: Date): { from: Date; until: Date } {
  const today = istDay(now)
  if (from !== undefined && from < today) throw invalid(msg`${{ field: 'from' }} must not be before today.`, 'from')
  const first = from ?? today
  const last = until ?? first
  if (last < first) throw invalid(msg`${{ field: 'until' }} must not be before the first day.`, 'until')
  const begins = from === undefined || from === today ? now : midnight(from)
  const ends = new Date(midnight(last).getTime() + 86_400_000)
  if (ends.getTime() - now.getTime() > maxLeaveDays * 86_400_000)
    throw invalid(msg`Leave must end within ${{ maxLeaveDays }} days.`, until === undefined ? 'from' : 'until')
  return { from: begins, until: ends }
}

const midnight = (day: string) => new Date(`${day}T00:00:00+05:30`)

/** Without those that have ended. */
async function lockAbsences(tx: TransactionSql, { actor, userId, now }: Asked): Promise<Absence[]> {
  const [user] = await tx<{ absences: { id: string; from: string; until: string }[] }[]>`
    select absences from users where account_id = ${actor.account_id} and id = ${userId} for no key update`
  if (!user) throw noUser()
  return user.absences
    .map(({ id, from, until }) => ({ id, from: new Date(from), until: new Date(until) }))
    .filter(({ until }) => until > now)
}

async function writeAbsences(tx: TransactionSql, actor: Actor, userId: string, absences: Absence[]) {
  const sorted = absences.toSorted((one, other) => one.from.getTime() - other.from.getTime())
  await tx`update users set absences = ${tx.json(sorted as never)}, updated_at = ${new Date()}
    where account_id = ${actor.account_id} and id = ${userId}`
}

/** Row-level security on users asks for an actor that sees the whole account. */
function changeUser<T>(database: Database, actor: Actor, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  return changeAsActor(database, forWholeAccount(actor), async (tx) => {
    const done = await work(tx)
    await notifyDirectoryChanged(tx, actor.account_id)
    return done
  })
}

const noUser = () => notFound(msg`There is no such user.`)
