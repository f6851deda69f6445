export const ruleKeys = {
  all: ['distribution'],
  list: ['distribution', 'list'],
  assignments: ['distribution', 'assignments'],
  values: ['distribution', 'values'],
  previews: ['distribution', 'preview'],
} as const
