import { everyText, type LeadPriority, type LeadStatus, type NewLead, type TextField } from '#contract/crm/leads'
import { parseAmount } from './deal-value.ts'
import type { Contact } from './queries.ts'

/** As it is typed. Empty fields are not sent: a merge must not replace values with defaults. */
export interface LeadDraft extends Record<TextField, string> {
  name: string
  phone: string
  email: string
  source: string
  status: LeadStatus | null
  priority: LeadPriority | null
  tags: string[]
  /** In rupees, as people write them. */
  deal_value: string
  notes: string
  assigned_to: string | null
}

export const emptyDraft: LeadDraft = {
  name: '',
  phone: '',
  email: '',
  ...everyText(() => ''),
  source: '',
  status: null,
  priority: null,
  tags: [],
  deal_value: '',
  notes: '',
  assigned_to: null,
}

/** What was searched for in vain, as the beginning of a new lead: words are a name, and at least four digits beside them a phone. */
export function draftOf(typed: string): LeadDraft {
  const words = typed.trim().split(/\s+/)
  const [emails, others] = divide(words, (word) => word.includes('@'))
  const [named, numbers] = divide(others, (word) => /\p{L}/u.test(word))
  const isPhone = named.length === 0 || digitsIn(numbers.join('')) >= 4
  return {
    ...emptyDraft,
    name: (isPhone ? named : others).join(' '),
    phone: isPhone ? numbers.join(' ') : '',
    email: emails.join(' '),
  }
}

const divide = (words: string[], is: (word: string) => boolean) =>
  [words.filter(is), words.filter((word) => !is(word))] as const

const digitsIn = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0

/** `unnamed`: the name of a lead without one. */
export function toNewLead({ deal_value, ...draft }: LeadDraft, unnamed = ''): NewLead {
  const named = { ...draft, name: draft.name.trim() || unnamed }
  const given = Object.entries(named).filter(
    ([, value]) => value !== null && (Array.isArray(value) ? value.length > 0 : value.trim() !== ''),
  )
  const amount = parseAmount(deal_value)
  return {
    ...(Object.fromEntries(given) as Omit<NewLead, 'deal_value'>),
    ...(amount === null ? {} : { deal_value: amount }),
  }
}

/** The contacts that are complete enough to look for their lead. */
export function toContact({ phone, email }: { phone: string; email: string }): Contact {
  return {
    ...(digitsIn(phone) >= 7 ? { phone: phone.trim() } : {}),
    ...(/[^\s@]\s*[@\uff20]\s*[^\s@]+\.[^\s@]{2,}/.test(email) ? { email: email.trim() } : {}),
  }
}
