export const ruleKeys = {
  all: ['distribution'],
  list: ['distribution', 'list'],
  assignments: ['distribution', 'assignments'],
  questions: ['distribution', 'questions'],
  previews: ['distribution', 'preview'],
} as const
