import { t } from '@lingui/core/macro'
import type { SingleSignOnProblem } from '#contract/access/sign-in'

/** Says why somebody was not signed in, and what to do. */
export function describeSingleSignOnProblem(problem: SingleSignOnProblem, name: string | null): string {
  const provider = name ?? t`the single sign-on provider`
  const sentences: Record<SingleSignOnProblem, string> = {
    cancelled: t`The sign-in at ${provider} was cancelled.`,
    deactivated: t`Your user is deactivated. Ask an Admin of your account to activate it.`,
    'email-not-confirmed': t`The email of your user was changed without a check. Ask an Admin of your account to confirm it under Team.`,
    'email-not-verified': t`Your email is not verified at ${provider}. Verify it there, or ask the person who manages users there.`,
    expired: t`Signing in took too long, or began in another window. Try again.`,
    'invalid-answer': t`The answer of ${provider} was not accepted. Try again. If it happens again, ask the operator of Lead Engine: the log says why.`,
    'no-email': t`No email that works here came from ${provider}. Ask the person who manages users there.`,
    'no-role': t`You have no role for Lead Engine at ${provider}. Ask an Admin of your account for one.`,
    'not-set-up': t`Single sign-on is not set up completely. Ask the operator of Lead Engine: the log says why.`,
    'other-identity': t`The user with your email signs in with another identity at ${provider}. Ask an Admin of your account to unlink it under Team.`,
    'service-failed': t`Lead Engine could not sign you in just now. Try again. If it happens again, ask the operator of Lead Engine: the log says why.`,
    'too-many': t`Too many attempts came from this IP address. Try again in a minute.`,
    'unknown-user': t`You are not a user of Lead Engine yet. Ask an Admin of your company’s account to invite you, with your email at ${provider}.`,
    unreachable: t`There is no answer from ${provider} now. Try again later, or sign in with a password if you have one.`,
  }
  return sentences[problem]
}
