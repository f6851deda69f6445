import { secondReminder } from '../../crm/leads/reminder-times.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import type { DueCalls } from './contract.ts'

/** In milliseconds. Older ones are on the page Today. */
const shownFor = 3_600_000
const maxShown = 5

interface DueRow {
  id: string
  name: string
  phone: string | null
  call_again_at: Date
}

/** Reads the promised calls of the user that are due now. Demo leads have no reminders. */
export async function readDueCalls(
  tx: TransactionSql,
  { accountId, userId, now }: { accountId: string; userId: string; now: Date },
): Promise<DueCalls> {
  const own = tx`account_id = ${accountId} and assigned_to = ${userId}`
  const [due, [next]] = await Promise.all([
    tx<DueRow[]>`select id, name, phone, call_again_at from leads
      where ${own} and call_again_at > ${new Date(now.getTime() - shownFor)} and call_again_at <= ${now}
        and (remind_at is not null or reminded_at is not null)
      order by call_again_at, id limit 100`,
    tx<{ at: Date }[]>`select call_again_at as at from leads
      where ${own} and call_again_at > ${now} and call_again_at <= ${new Date(now.getTime() + shownFor)}
      order by call_again_at, id limit 1`,
  ])
  const changes = [...due.map(({ call_again_at }) => secondReminder(call_again_at)), ...(next ? [next.at] : [])]
  const waits = changes.map((at) => Math.ceil((at.getTime() - now.getTime()) / 1000)).filter((seconds) => seconds > 0)
  return {
    calls: due.slice(0, maxShown).map(({ call_again_at, ...lead }) => ({
      ...lead,
      call_again_at: instantText(call_again_at),
      is_overdue: secondReminder(call_again_at) <= now,
    })),
    count: due.length,
    changes_in: waits.length > 0 ? Math.min(...waits) : null,
  }
}
