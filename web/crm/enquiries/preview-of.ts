import { type Enquiries, type EnquiryPreview, shownAnswers } from '#contract/crm/enquiries'

/** Returns the beginning of the newest enquiry, as the call queue has it; null if there is none. */
export function previewOf({ entries: [newest] }: Enquiries): EnquiryPreview | null {
  if (!newest) return null
  const { at, message, origin, answers, consent, omitted } = newest
  return {
    at,
    message,
    product: origin.product ?? null,
    campaign: origin.campaign ?? origin.utm_campaign ?? null,
    page_url: origin.page_url ?? null,
    answers: answers.slice(0, shownAnswers),
    more: Math.max(answers.length - shownAnswers, 0) + omitted,
    do_not_call: consent?.do_not_call ?? null,
  }
}
