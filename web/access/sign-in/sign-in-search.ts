import { type SingleSignOnProblem, singleSignOnProblems } from '#contract/access/sign-in'
import { readChoice, text } from '../../platform/api/search.ts'

interface SignInSearch {
  /** The page to open after signing in. */
  next?: string | undefined
  /** After the provider: the user is signed in, or has to enter a code. */
  step?: 'done' | 'code' | undefined
  /** Why the provider did not sign the user in. */
  problem?: SingleSignOnProblem | undefined
}

export const signInSearch = (search: Record<string, unknown>): SignInSearch => ({
  next: text(search, 'next'),
  step: readChoice(search, 'step', ['done', 'code']),
  problem: readChoice(search, 'problem', singleSignOnProblems),
})
