import { msg, plural } from '@lingui/core/runtime-macro'

/** Why rules chose these users, in sentences. Timelines store them, and read them back. */
export const reasons = {
  noneAvailable: msg`No user of the rule “${{ name: '' }}” is available.`,
  hasReachedLimit: msg`${{ who: '' }} has reached ${{ limit: '' }}.`,
  haveReachedLimit: msg`${{ who: '' }} have reached ${{ limit: '' }}.`,
  allReachedLimit: msg`All users of the rule “${{ name: '' }}” have reached ${{ limit: '' }}.`,
  allReachedLimits: msg`All users of the matching rules have reached their limits today.`,
  moreAreAway: msg`${{ count: 0 }} more are away.`,
}

/** How many more users than those that are named. */
export const more = msg`${{ count: 0 }} more`

export const limitToday = plural(
  { limit: 0 },
  { one: 'the limit of {limit} lead today', other: 'the limit of {limit} leads today' },
)
