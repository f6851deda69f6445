import { join } from 'node:path'
import { quoted, type Sql } from '../../server/platform/database/sql.ts'
import { dailyName } from '../backup/backup-folder.ts'
import { type Check, fine, named, problem } from './check.ts'
import type { Installation } from './installation.ts'
import { quotedForShell } from './restore-advice.ts'
import { notRead, readEach, wholeTables } from './whole-tables.ts'

/** Tables that lose rows only when users delete something. */
const kept = [
  'accounts',
  'api_keys',
  'call_logs',
  'credentials',
  'distribution_rules',
  'enquiries',
  'lead_contacts',
  'leads',
  'timeline_entries',
  'users',
  'webhooks',
]

/** Compares how many rows tables have with the newest backup: nothing else shows that rows were deleted by mistake. */
export const lostRows = (installation: Installation): Check =>
  wholeTables(installation, {
    name: 'lost_rows',
    async run(sql) {
      const { restoreAdvice, config, now } = installation
      const newest = await restoreAdvice.newest()
      if (!newest?.manifest) return fine('Not checked: there is no daily backup to compare with.')
      const { tables, created_at } = newest.manifest
      const there = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename = any (${kept}::text[])`
      // The check structure names a table that is missing.
      const before = tables.filter((table) => there.some(({ name }) => name === table.name))
      const { found: counted, unread } = await readEach(sql, before, async (tx, { name, rows }) => {
        const [row] = await tx.unsafe<{ n: number }[]>(`select count(*)::int as n from only ${quoted(name)}`)
        return { name, rows, now: row!.n }
      })
      const left = counted.map((one) => ({ ...one, share: one.rows === 0 ? 1 : one.now / one.rows }))
      const ofLeads = await shareOfLeads(
        sql,
        left.find(({ name }) => name === 'leads'),
        created_at,
      )
      const lost = left.filter(({ name, share }) => (name === 'leads' ? ofLeads.isLost : share < ofLeads.share / 2))
      if (lost.length === 0) return fine(`No table has lost many rows since the newest backup.${notRead(unread)}`)
      const file = join(config.get().backupDir!, dailyName(now))
      return problem(
        `${named(lost.map((one) => `${one.name} has ${one.now} rows, and ${one.rows} in the backup of ${created_at}`))}.`,
        `If no user deleted them on purpose: ${await restoreAdvice.ofDatabase()} Otherwise make a backup of what is left: lead-engine backup ${quotedForShell(file)}.`,
      )
    },
  })

/** Users may delete and merge leads, which is recorded; what belongs to a lead goes with it. */
async function shareOfLeads(sql: Sql, leads: { rows: number; now: number; share: number } | undefined, since: string) {
  if (!leads) return { share: 1, isLost: false }
  const [row] = await sql<{ n: number }[]>`
    select ((select count(*) from erased_leads where at >= ${since}::timestamptz)
      + (select count(*) from merged_leads where account_id in (select id from accounts) and merged_at >= ${since}::timestamptz))::int as n`
  return { share: Math.min(1, leads.share), isLost: leads.now + row!.n < leads.rows }
}
