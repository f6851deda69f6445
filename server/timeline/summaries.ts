import { fieldLabel } from '../leads/fields.ts'

/** Sentences for people: what happened to a lead, from where, before and after. */

const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})

interface Change {
  field: string
  before?: unknown
  after?: unknown
  added?: string | readonly string[]
  removed?: readonly string[]
}

export function createdSummary(sender: string, assignee: string | null, rule: string | null): string {
  const owner = assignee
    ? ` Assigned to ${assignee}${rule ? ` by the rule “${rule}”` : ''}.`
    : ' Nobody is assigned yet.'
  return `Created through ${sender}.${owner}`
}

export function mergedSummary(
  sender: string,
  matched: string[],
  changes: Change[],
  notTaken: { field: string }[],
  hasMessage = false,
): string {
  const changed = changes.length === 0 ? 'nothing changed' : changes.map(changeText).join(', ')
  const kept = hasMessage ? ' The notes are full: the message is kept here.' : ''
  const refused = notTaken.length === 0 ? '' : ` Not taken: ${notTaken.map(({ field }) => nameOf(field)).join(', ')}.`
  return `Merged through ${sender}, same ${matched.join(' and ')}: ${changed}.${kept}${refused}`
}

export function changedSummary(sender: string, changes: Change[]): string {
  return `Changed through ${sender}: ${changes.map(changeText).join(', ')}.`
}

export function emailElsewhereSummary(sender: string): string {
  return `A submission through ${sender} had this lead's email and another lead's phone. It went to that lead; the email stays here.`
}

export function hiddenSubmissionSummary(sender: string): string {
  return `Submitted again through ${sender}, by someone who may not see this lead. Nothing was changed; what was sent is kept here.`
}

/** For the leads of a person who leaves. */
export function reassignedSummary(from: string, to: string | null, by: string): string {
  return `Owner ${from} → ${to ?? 'nobody'}: ${by} deactivated ${from}.`
}

interface Call {
  call_type: string
  duration_seconds: number
  outcome: string
}

export function callSummary(call: Call): string {
  return `${call.call_type} call, ${call.outcome.toLowerCase()}, ${durationText(call.duration_seconds)}`
}

export function loggedSummary(sender: string, call: Call): string {
  return `${callSummary(call)}. Logged through ${sender}.`
}

export function callDeletedSummary(sender: string, call: Call): string {
  return `Call log deleted through ${sender}: ${callSummary(call)}`
}

function changeText({ field, before, after, added, removed }: Change): string {
  if (field === 'tags') return `tags ${tagsText(added as readonly string[], removed as readonly string[])}`
  if (added !== undefined) return `added to ${nameOf(field)}`
  const shown = (one: unknown) => (field === 'deal_value' ? rupees.format(Number(one)) : one)
  const value = (one: unknown) => (field === 'notes' ? '' : ` ${shown(one)}`)
  if (before === null) return `${nameOf(field)}${value(after)} added`
  if (after === null) return `${nameOf(field)}${value(before)} removed`
  return field === 'notes' ? 'notes changed' : `${nameOf(field)} ${shown(before)} → ${shown(after)}`
}

function tagsText(added: readonly string[], removed: readonly string[]): string {
  return [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)].join(' ') || 'in another order'
}

const nameOf = (field: string) => fieldLabel(field).toLowerCase()

function durationText(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : ''].filter(Boolean).join(' ')
}
