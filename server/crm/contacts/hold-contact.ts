import { withoutInvisible } from './contact.ts'

/** A pin code has so many digits, a phone number more. */
const maxDigits = 6

/** Whether a text may hold an email, a phone number or a link to a person, however it is written. */
export function mayHoldContact(text: string): boolean {
  const plain = withoutInvisible(text.normalize('NFKC'))
  if (plain.includes('@') || (plain.match(/\p{N}/gu)?.length ?? 0) > maxDigits) return true
  // "ravi at example.com" and "t.me/ravi", but not a source such as "Housing.com".
  return /\.\p{L}{2,}/u.test(plain) && /[\s/]/.test(plain.trim())
}
