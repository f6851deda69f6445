import { t } from '@lingui/core/macro'
import type { FirstStart, FirstStep } from '#contract/setup/first-start'

export const stepTitles: Record<FirstStep, string> = {
  company: t`Name your company and yourself`,
  team: t`Invite your team`,
  leads: t`Start with sample data or your own`,
  source: t`Connect a source of leads`,
  rule: t`Distribute new leads`,
  notifications: t`Turn on notifications`,
}

export const nextTexts: Record<FirstStep, string> = {
  company: t`Next: name your company and yourself.`,
  team: t`Next: invite your team.`,
  leads: t`Next: start with sample data or your own.`,
  source: t`Next: connect a source of leads.`,
  rule: t`Next: distribute new leads.`,
  notifications: t`Next: turn on notifications.`,
}

export const allSteps = Object.keys(stepTitles) as FirstStep[]

export const nextStep = ({ steps }: FirstStart): FirstStep | undefined =>
  allSteps.find((step) => steps[step] === 'open')

export const countDone = ({ steps }: FirstStart): number => allSteps.filter((step) => steps[step] === 'done').length

export const doneText = (start: FirstStart) => t`${{ done: countDone(start) }} of ${{ all: allSteps.length }} done`
