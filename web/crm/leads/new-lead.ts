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

/** What was searched for in vain, as the beginning of a new lead: words are a name. */
export function draftOf(typed: string): LeadDraft {
  const text = typed.trim()
  const field = text.includes('@') ? 'email' : /\p{L}/u.test(text) ? 'name' : 'phone'
  return { ...emptyDraft, [field]: text }
}

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
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0
  return {
    ...(digits >= 7 ? { phone: phone.trim() } : {}),
    ...(/[^\s@]\s*[@\uff20]\s*[^\s@]+\.[^\s@]{2,}/.test(email) ? { email: email.trim() } : {}),
  }
}
