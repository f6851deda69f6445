import { t } from '@lingui/core/macro'
import { rupeesIn } from '#contract/crm/leads'

/** The message for a text that is not an amount. */
export const noAmount = (typed: string) =>
  typed.trim() === '' || rupeesIn(typed) !== undefined
    ? undefined
    : t`Enter an amount in rupees, such as 1,25,000 or 1.25 lakh.`

export const parseAmount = (typed: string): number | null => rupeesIn(typed) ?? null
