import { hideContacts } from '../contacts/hide-contacts.ts'
import type { EnquiryPreview } from './contract.ts'

/** Returns what a lead asked for without phones and emails, for users who do not see the lead. */
export function withoutContacts(enquiry: EnquiryPreview): EnquiryPreview {
  const hidden = (text: string | null) => text && hideContacts(text)
  return {
    ...enquiry,
    message: hidden(enquiry.message),
    product: hidden(enquiry.product),
    campaign: hidden(enquiry.campaign),
    page_url: hidden(enquiry.page_url),
    do_not_call: hidden(enquiry.do_not_call),
    answers: enquiry.answers.map(({ question, answer }) => ({
      question: hideContacts(question),
      answer: hideContacts(answer),
    })),
  }
}
