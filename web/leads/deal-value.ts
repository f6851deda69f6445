import { rupeesIn } from '#contract/leads'

/** Why what was typed is no deal value, if so. */
export const noAmount = (typed: string) =>
  typed.trim() === '' || rupeesIn(typed) !== undefined
    ? undefined
    : 'Write an amount in rupees, such as 1,25,000 or 1.25 lakh.'

export const amountOf = (typed: string): number | null => rupeesIn(typed) ?? null
