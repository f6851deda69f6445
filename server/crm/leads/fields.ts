export const leadStatuses = ['New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost'] as const
export type LeadStatus = (typeof leadStatuses)[number]
export const isClosed = (status: string | undefined) => status === 'Won' || status === 'Lost'

export const leadPriorities = ['Low', 'Medium', 'High'] as const
export type LeadPriority = (typeof leadPriorities)[number]

/** In characters. */
export const maxTagLength = 100
/** A lead holds so many, a request brings fewer. */
export const maxTags = 200
export const maxTagsAtOnce = 50
/** In characters: a field of contacts may hold several, and words beside them. */
export const maxContactText = 320
/** Phones, emails and WhatsApp ids of a lead beside its first phone and email. */
export const maxOtherContacts = 20

interface Field {
  /** On screen, in an exported file and, in lower case, in sentences. */
  label: string
  /** In characters. */
  maxLength?: number
  /**
   * What a webhook or an import does where the lead exists: fills the field if it is empty, keeps it, appends to it, or
   * adds to its list.
   */
  merge: 'fill' | 'keep' | 'append' | 'add'
  /** Recognition looks for it in a payload. The others are read from a key of exactly their name. */
  recognised: boolean
}

/** One line of text each, which may be empty. They have no code of their own: see "Add a lead field" in CONTRIBUTING. */
export const textFields = {
  company: { label: 'Company', maxLength: 200, merge: 'fill', recognised: true },
  city: { label: 'City', maxLength: 200, merge: 'fill', recognised: true },
} as const satisfies Record<string, Field>
export type TextField = keyof typeof textFields

/** All fields, in the order in which the API answers them. */
export const leadFields = {
  name: { label: 'Name', maxLength: 200, merge: 'fill', recognised: true },
  email: { label: 'Email', maxLength: 254, merge: 'fill', recognised: true },
  phone: { label: 'Phone', maxLength: 32, merge: 'fill', recognised: true },
  ...textFields,
  source: { label: 'Source', maxLength: 200, merge: 'keep', recognised: true },
  status: { label: 'Status', merge: 'keep', recognised: false },
  priority: { label: 'Priority', merge: 'keep', recognised: false },
  tags: { label: 'Tags', merge: 'add', recognised: false },
  deal_value: { label: 'Deal value', merge: 'fill', recognised: false },
  notes: { label: 'Notes', maxLength: 20_000, merge: 'append', recognised: true },
  assigned_to: { label: 'Owner', maxLength: 254, merge: 'keep', recognised: false },
} as const satisfies Record<string, Field>
export type LeadField = keyof typeof leadFields

export const textFieldNames = Object.keys(textFields) as TextField[]
export const leadFieldNames = Object.keys(leadFields) as LeadField[]

/** In the order in which people read them: the phone before the email. */
export const fieldsAsShown: readonly LeadField[] = [
  'name',
  'phone',
  ...leadFieldNames.filter((field) => field !== 'name' && field !== 'phone'),
]

/** "Deal value" for deal_value; a name that is no field's is only capitalised. */
export function fieldLabel(name: string): string {
  if (Object.hasOwn(leadFields, name)) return leadFields[name as LeadField].label
  return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
}

/** Labels that are words of several meanings have a context in the files of the languages. */
export const contextOfLabel: Record<string, string> = { ad: 'advertisement', form: 'filled in by a customer' }

/** The same value for every text field. */
export function everyText<T>(make: (field: TextField) => T): Record<TextField, T> {
  return Object.fromEntries(textFieldNames.map((field) => [field, make(field)])) as Record<TextField, T>
}

/** Returns the offered tags that are new. Tags that differ in upper and lower case only are one tag, in the spelling that was first. */
export function newTags(held: readonly string[], offered: readonly string[]): string[] {
  const known = new Set(held.map((tag) => tag.toLowerCase()))
  return offered.filter((tag) => {
    const isNew = !known.has(tag.toLowerCase())
    known.add(tag.toLowerCase())
    return isNew
  })
}
