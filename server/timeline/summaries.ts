import { fieldLabel } from '../leads/fields.ts'

/** One sentence for each timeline entry. */

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

/** `rule`: the name of the rule that assigned the lead, and why other users and rules did not. */
export function createdSummary(
  sender: string,
  assignee: string | null,
  rule: { name: string; byFallback: boolean; because: string } | null,
): string {
  const by = rule ? (rule.byFallback ? ', the fallback owner' : ` by the rule “${rule.name}”`) : ''
  const owner = assignee ? ` Assigned to ${assignee}${by}.` : ' Unassigned.'
  return `Created through ${sender}.${owner}${rule?.because ? ` ${rule.because}` : ''}`
}

export function passedOnSummary(
  from: string,
  to: string,
  { rule, minutes }: { rule: string; minutes: number },
): string {
  const span = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `Passed on from ${from} to ${to} by the rule “${rule}”: no call and no change within ${span}.`
}

interface Merge {
  sender: string
  /** What matched: the phone, the email, another contact. */
  matched: readonly string[]
  changes: readonly Change[]
  notTaken: readonly { field: string }[]
  /** A message that has no room in the notes. */
  hasMessage?: boolean | undefined
}

export function mergedSummary({ sender, matched, ...merge }: Merge): string {
  return `Merged through ${sender}, matched by ${matched.join(' and ')}. ${mergeText(merge)}`
}

function mergeText({ changes, notTaken, hasMessage }: Omit<Merge, 'sender' | 'matched'>): string {
  const changed = changes.length === 0 ? 'Nothing changed' : `Changed ${changes.map(changeText).join(', ')}`
  const kept = hasMessage ? ' The notes are full: the message is saved here.' : ''
  const skipped = notTaken.length === 0 ? '' : ` Not taken: ${notTaken.map(({ field }) => nameOf(field)).join(', ')}.`
  return `${changed}.${kept}${skipped}`
}

/** Of a user who merged another lead into this one. */
export function mergedLeadSummary(
  by: string,
  name: string,
  { changes, notTaken, hasMessage }: Omit<Merge, 'sender' | 'matched'>,
) {
  return `${by} merged the lead “${name}” into this one. ${mergeText({ changes, notTaken, hasMessage })}`
}

/** One sentence for each of the two leads. */
export function mergeUndoneSummaries(by: string, keptName: string, name: string, changes: readonly Change[]) {
  const changed = changes.length === 0 ? 'Nothing changed' : `Changed ${changes.map(changeText).join(', ')}`
  return {
    kept: `${by} undid the merge of the lead “${name}” into this one. ${changed}.`,
    other: `${by} undid the merge of this lead into “${keptName}”.`,
  }
}

export function changedSummary(by: string, changes: Change[]): string {
  return `${by} changed ${changes.map(changeText).join(', ')}.`
}

const contactNames = { phone: 'phone', email: 'email', whatsapp: 'WhatsApp id' }

export function contactElsewhereSummary(sender: string, kind: keyof typeof contactNames): string {
  const name = contactNames[kind]
  return `A submission through ${sender} had this lead's ${name} and matched another lead. It went to that lead; the ${name} stays here.`
}

export function hiddenSubmissionSummary(sender: string): string {
  return `Submitted again through ${sender}, by a user who cannot see this lead. Nothing was changed; the submission is saved here.`
}

/** For the leads of a deactivated user. */
export function reassignedSummary(from: string, to: string | null, by: string): string {
  return `Owner ${from} → ${to ?? 'unassigned'}: ${by} deactivated ${from}.`
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

/** `time`: when the call was. */
export const callChangedSummary = (by: string, time: string, changes: Change[]) =>
  `${by} corrected the call of ${time}: ${changes.map(changeText).join(', ')}.`

/** One sentence for each of the two leads. The other one is not named: not everyone who sees this lead sees it, too. */
export function callMovedSummaries(by: string, time: string, call: Call, changes: Change[]) {
  const corrected = changes.length === 0 ? '' : ` Corrected ${changes.map(changeText).join(', ')}.`
  return {
    from: `${by} moved the call of ${time} to another lead: ${callSummary(call)}.`,
    to: `${by} moved the call of ${time} here from another lead: ${callSummary(call)}.${corrected}`,
  }
}

export function callDeletedSummary(sender: string, call: Call): string {
  return `Call log deleted through ${sender}: ${callSummary(call)}`
}

/** Not that a message was sent: WhatsApp does not say. */
export function whatsAppOpenedSummary(by: string, quickReply: string | null): string {
  return quickReply === null ? `${by} opened WhatsApp.` : `${by} opened WhatsApp with “${quickReply}”.`
}

function changeText({ field, before, after, added, removed }: Change): string {
  if (field === 'tags') return `tags: ${tagsText(added as readonly string[], removed as readonly string[])}`
  if (field === 'other_contacts')
    return `other contacts: ${contactsText(added as readonly string[], removed as readonly string[])}`
  if (added !== undefined) return `${nameOf(field)}: added text`
  const shown = (one: unknown) => (field === 'deal_value' ? rupees.format(Number(one)) : one)
  if (field === 'notes') return before === null ? 'notes: added' : after === null ? 'notes: removed' : 'notes: replaced'
  const text = (one: unknown) => (one === null ? 'none' : shown(one))
  return `${nameOf(field)}: ${text(before)} → ${text(after)}`
}

function tagsText(added: readonly string[], removed: readonly string[]): string {
  return [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)].join(' ') || 'in another order'
}

/** In words: a plus before a number would be read as a part of it. */
function contactsText(added: readonly string[], removed: readonly string[]): string {
  return [added.length > 0 && `added ${added.join(', ')}`, removed.length > 0 && `removed ${removed.join(', ')}`]
    .filter(Boolean)
    .join(', ')
}

const nameOf = (field: string) => fieldLabel(field).toLowerCase()

export function durationText(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : ''].filter(Boolean).join(' ')
}
