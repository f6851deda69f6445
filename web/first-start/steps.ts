import type { FirstStart, FirstStep } from '#contract/first-start'

export const stepTitles: Record<FirstStep, string> = {
  company: 'Name your company and yourself',
  leads: 'Start with sample data or your own',
  source: 'Connect a source of leads',
  team: 'Invite your team',
  rule: 'Distribute new leads',
  notifications: 'Turn on notifications',
}

export const allSteps = Object.keys(stepTitles) as FirstStep[]

export const nextStep = ({ steps }: FirstStart): FirstStep | undefined =>
  allSteps.find((step) => steps[step] === 'open')

export const countDone = ({ steps }: FirstStart): number => allSteps.filter((step) => steps[step] === 'done').length
