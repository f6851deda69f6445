export const ruleKeys = {
  all: ['distribution'],
  list: ['distribution', 'list'],
  assignments: ['distribution', 'assignments'],
  previews: ['distribution', 'preview'],
} as const
