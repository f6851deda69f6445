import { isDeepStrictEqual } from 'node:util'
import { msg } from '@lingui/core/runtime-macro'
import { invalid } from './problem.ts'

/**
 * Rejects a change of values that another user changed since the form was opened. `was` has the values that the form
 * showed, `now` the ones read under a lock.
 */
export function checkUnchanged<Values extends object>(was: Partial<Values> | undefined, now: Values): void {
  for (const [field, value] of Object.entries(was ?? {})) {
    if (isDeepStrictEqual(value, now[field as keyof Values])) continue
    throw invalid(
      msg`${{ field }} was changed by someone else since you opened this form. Reload, then make your change again.`,
      field,
    )
  }
}
