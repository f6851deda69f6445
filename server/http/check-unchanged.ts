import { isDeepStrictEqual } from 'node:util'
import { invalid } from './problem.ts'

/**
 * Rejects a change of values that somebody else has changed since the form was opened. `was` holds what the form showed
 * of the fields it changes, `now` is read under a lock.
 */
export function checkUnchanged<Values extends object>(was: Partial<Values> | undefined, now: Values): void {
  for (const [field, value] of Object.entries(was ?? {})) {
    if (isDeepStrictEqual(value, now[field as keyof Values])) continue
    throw invalid(
      `${field} was changed by someone else since you opened this form. Reload, then make your change again.`,
      field,
    )
  }
}
