/** Digits of a phone number, as people write them. */
const phones = /\+?\p{Nd}(?:[\s().\-/]{0,3}\p{Nd}){6,}/gu
const emails = /\S+@\S+/g

/** Returns the text without emails and what may be a phone number, for users who do not see the lead. */
export const hideContacts = (text: string) => text.replaceAll(emails, '•••').replaceAll(phones, '•••')
