import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Migrations 1 to 45 of versions before 0.3 became the baseline, 0046 to 0052. A database or a backup of version 0.2 is at migration 45
 * and is brought to it. Older ones go through version 0.2 first.
 */
const first = 46
const lastBefore = '0045_totals_by_value.sql'

export const upgradeText = readFileSync(join(import.meta.dirname, 'migrations', 'upgrade-from-45.sql'), 'utf8')

/** The migrations whose tables the upgrade brings up to date. The others of the baseline are applied after it. */
export const byUpgrade = ['0046_accounts.sql', '0047_leads.sql', '0048_webhooks.sql']

export const isAt45 = (applied: string[]) => applied.includes(lastBefore)

export const isOlderThan45 = (applied: string[]) =>
  !isAt45(applied) && applied.some((file) => Number.parseInt(file, 10) < first || file.includes('/'))

/** Returns which migrations make the tables into which a backup is copied. The counts of version 0.2 are not: the rows are counted. */
export const migrationsOf = (backup: string[]) => (isAt45(backup) ? byUpgrade : backup)
