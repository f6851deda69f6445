import type { Sql } from '../../server/platform/database/sql.ts'
import { noteError } from './state.ts'

export type Log = (level: 'info' | 'error', message: string) => void

type Part = 'log' | 'base' | 'erased'

export interface Problems {
  /** Null when it works again. */
  set(part: Part, error: Error | null): Promise<void>
}

/** Logs a problem once, however often it is tried again, and keeps it where Admins and doctor see that there is one. */
export function rememberProblems(sql: Sql, target: string, log: Log): Problems {
  const messages = new Map<Part, string>()
  let kept: string | null | undefined
  return {
    async set(part, error) {
      const before = messages.get(part)
      if (error && before !== error.message) log('error', `Continuous backup: ${error.message}`)
      if (!error && before) log('info', 'Continuous backup: it works again')
      if (error) messages.set(part, error.message)
      else messages.delete(part)
      const message = [...messages.values()][0] ?? null
      if (message === kept) return
      // Without the database there is no backup either, and the service says so.
      kept = await noteError(sql, target, message).then(
        () => message,
        () => undefined,
      )
    },
  }
}
