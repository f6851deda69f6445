import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../server/platform/http/contract.ts'

/** `off`: BACKUP_DIR is not set. `waiting`: the first backup is being made. */
const states = ['off', 'waiting', 'made', 'failed'] as const

/** The daily backups of the installation. Says nothing about other accounts. */
export const DailyBackups = Type.Object({
  state: Type.Enum([...states]),
  last_success_at: Nullable(Instant()),
  /** How many are kept. */
  keep: Type.Integer(),
})
export type DailyBackups = Static<typeof DailyBackups>
