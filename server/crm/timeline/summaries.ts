import type { MessageDescriptor } from '@lingui/core'
import { translate, withValues } from '../../platform/languages/translate.ts'
import { rupees } from '../../platform/text/rupees.ts'
import { fieldLabel } from '../leads/fields.ts'
import { both, changeTexts, durationTexts, none, reasonTexts, sentences } from './summary-texts.ts'

/** One sentence for each timeline entry, in English. `translate-summary.ts` translates it when it is read. */

const say = (text: MessageDescriptor, values: Record<string, string | number> = {}) =>
  translate(withValues(text, values))
const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')

/** Why a submitted value was not taken. */
export const notTakenReasons = {
  hasOne: say(reasonTexts.hasOne),
  neverChanged: say(reasonTexts.neverChanged),
  otherChosen: say(reasonTexts.otherChosen),
  elsewhere: say(reasonTexts.elsewhere),
}
export const tooManyTags = (maxTags: number) => say(reasonTexts.tooManyTags, { maxTags })
export const tooManyContacts = (maxOtherContacts: number) => say(reasonTexts.tooManyContacts, { maxOtherContacts })

interface Change {
  field: string
  before?: unknown
  after?: unknown
  added?: string | readonly string[]
  removed?: readonly string[]
}

/**
 * `rule`: the name of the rule that assigned the lead, and why other users and rules did not. `offered`: how many users may claim it. `assigns`: false if all users have reached
 * their limits.
 */
export function createdSummary(
  sender: string,
  assignee: string | null,
  rule: { name: string; byFallback: boolean; assigns?: boolean; offered?: number; because: string } | null,
): string {
  return joined(say(sentences.created, { sender }), ownerText(assignee, rule), rule?.because ?? '')
}

function ownerText(assignee: string | null, rule: Parameters<typeof createdSummary>[2]): string {
  if (rule?.offered) return say(sentences.offered, { rule: rule.name, users: rule.offered })
  if (!assignee) return say(sentences.unassigned)
  if (!rule || rule.assigns === false) return say(sentences.assigned, { assignee })
  return rule.byFallback
    ? say(sentences.assignedAsFallback, { assignee })
    : say(sentences.assignedByRule, { assignee, rule: rule.name })
}

export const claimedSummary = (by: string) => say(sentences.claimed, { by })

/** A user owns the lead because they answered its call. */
export const answeredSummary = (assignee: string) => say(sentences.answered, { assignee })

interface Unclaimed {
  /** So long it was offered. Null: the rule was deleted. */
  minutes: number | null
  /** The new owner. */
  to: string | null
  /** The rule that assigned or offered it then. */
  rule: string | null
  /** The number of users who may claim it then. */
  offeredTo: number
  because: string
}

/** No user has claimed the lead in time. */
export function unclaimedSummary({ minutes, to, rule, offeredTo, because }: Unclaimed): string {
  const start = minutes === null ? say(sentences.notClaimed) : say(sentences.notClaimedWithin, { minutes })
  return joined(start, nextOwnerText({ to, rule, offeredTo }), because)
}

function nextOwnerText({ to, rule, offeredTo }: Pick<Unclaimed, 'to' | 'rule' | 'offeredTo'>): string {
  if (rule && offeredTo > 0) return say(sentences.offered, { rule, users: offeredTo })
  if (!to) return say(sentences.staysUnassigned)
  return rule ? say(sentences.assignedByRule, { assignee: to, rule }) : say(sentences.assigned, { assignee: to })
}

export function passedOnSummary(
  from: string,
  to: string,
  { rule, minutes }: { rule: string; minutes: number },
): string {
  return say(sentences.passedOn, { from, to, rule, minutes })
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

export const mergedSummary = ({ sender, matched, ...merge }: Merge): string =>
  joined(mergedText(sender, matched), mergeText(merge))

/** What stays of the sentence of a merge after its import is undone. */
export const mergedText = (sender: string, matched: readonly string[]) =>
  say(sentences.merged, { sender, matched: matched.reduce((first, second) => say(both, { first, second })) })

/** `taken`: fields, and calls and enquiry. */
export const importUndoneSummary = (by: string, taken: readonly string[]) =>
  joined(say(sentences.importUndone, { by }), say(sentences.takenBack, { fields: taken.map(nameOf).join(', ') }))

function mergeText({ changes, notTaken, hasMessage }: Omit<Merge, 'sender' | 'matched'>): string {
  const fields = notTaken.map(({ field }) => nameOf(field)).join(', ')
  return joined(
    changedText(changes),
    hasMessage ? say(sentences.notesFull) : '',
    notTaken.length > 0 ? say(sentences.notTaken, { fields }) : '',
  )
}

/** A user merged another lead into this one. It is not named: after an undo, not everyone who sees this lead sees it, too. */
export const mergedLeadSummary = (by: string, merge: Omit<Merge, 'sender' | 'matched'>) =>
  joined(say(sentences.mergedLead, { by }), mergeText(merge))

/** What stays of the sentence of a merge after it is undone. */
export const undoneMergeSummary = (by: string, changes: readonly Change[]) =>
  joined(say(sentences.mergedLead, { by }), changes.length === 0 ? '' : changedText(changes))

/** One sentence for each of the two leads. */
export const mergeUndoneSummaries = (by: string, changes: readonly Change[]) => ({
  kept: joined(say(sentences.mergeUndone, { by }), changes.length === 0 ? '' : changedText(changes)),
  other: say(sentences.unmerged, { by }),
})

const changedText = (changes: readonly Change[]) =>
  changes.length === 0 ? say(sentences.nothingChanged) : say(sentences.changed, { changes: changesText(changes) })

export const changedSummary = (by: string, changes: Change[]) =>
  say(sentences.changedBy, { by, changes: changesText(changes) })

const contactNames = { phone: 'phone', email: 'email', whatsapp: 'WhatsApp id' }

export function contactElsewhereSummary(sender: string, kind: keyof typeof contactNames): string {
  return say(sentences.contactElsewhere, { sender, contact: contactNames[kind] })
}

export function hiddenSubmissionSummary(sender: string): string {
  return say(sentences.hiddenSubmission, { sender })
}

/** For the leads of a deactivated user. */
export function reassignedSummary(from: string, to: string | null, by: string): string {
  return to === null ? say(sentences.ownerRemoved, { from, by }) : say(sentences.reassigned, { from, to, by })
}

/** As the web app names outcomes. */
const outcomeTexts: Record<string, string> = { Completed: 'Spoke', 'No Answer': 'No answer' }
const outcomeText = (outcome: string) => outcomeTexts[outcome] ?? outcome

interface Call {
  call_type: string
  duration_seconds: number
  outcome: string
}

export function callSummary(call: Call): string {
  const { call_type: type, outcome, duration_seconds } = call
  return say(sentences.call, {
    type,
    outcome: outcomeText(outcome).toLowerCase(),
    duration: durationText(duration_seconds),
  })
}

export function loggedSummary(sender: string, call: Call): string {
  return say(sentences.callLogged, { call: callSummary(call), sender })
}

/** `time`: when the call was. */
export const callChangedSummary = (by: string, time: string, changes: Change[]) =>
  say(sentences.callChanged, { by, time, changes: changesText(changes) })

/** One sentence for each of the two leads. The other one is not named: not everyone who sees this lead sees it, too. */
export function callMovedSummaries(by: string, time: string, call: Call, changes: Change[]) {
  const moved = { by, time, call: callSummary(call) }
  const corrected = changes.length === 0 ? '' : say(sentences.corrected, { changes: changesText(changes) })
  return { from: say(sentences.callMoved, moved), to: joined(say(sentences.callMovedHere, moved), corrected) }
}

export function callDeletedSummary(sender: string, call: Call): string {
  return say(sentences.callDeleted, { sender, call: callSummary(call) })
}

/** Not that a message was sent: WhatsApp does not say. */
export function whatsAppOpenedSummary(by: string, quickReply: string | null): string {
  return quickReply === null
    ? say(sentences.whatsAppOpened, { by })
    : say(sentences.whatsAppOpenedWith, { by, quickReply })
}

const changesText = (changes: readonly Change[]) => changes.map(changeText).join(', ')

function changeText({ field, before, after, added, removed }: Change): string {
  if (field === 'tags') return tagsText(added as readonly string[], removed as readonly string[])
  if (field === 'other_contacts') return contactsText(added as readonly string[], removed as readonly string[])
  if (added !== undefined) return say(changeTexts.addedText, { field: nameOf(field) })
  if (field === 'notes') {
    if (before === null) return say(changeTexts.notesAdded)
    return say(after === null ? changeTexts.notesRemoved : changeTexts.notesReplaced)
  }
  const text = (one: unknown) => {
    if (one === null) return say(none)
    if (field === 'deal_value') return rupees.format(Number(one))
    return field === 'outcome' ? outcomeText(String(one)) : String(one)
  }
  return say(changeTexts.values, { field: nameOf(field), before: text(before), after: text(after) })
}

function tagsText(added: readonly string[], removed: readonly string[]): string {
  const tags = [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)].join(' ')
  return tags ? say(changeTexts.tags, { tags }) : say(changeTexts.tagsInOrder)
}

/** In words: a plus before a number would be read as a part of it. */
function contactsText(added: readonly string[], removed: readonly string[]): string {
  const lists = { added: added.join(', '), removed: removed.join(', ') }
  if (removed.length === 0) return say(changeTexts.contactsAdded, lists)
  return say(added.length === 0 ? changeTexts.contactsRemoved : changeTexts.contactsReplaced, lists)
}

export const nameOf = (field: string) => fieldLabel(field).toLowerCase()

export function durationText(total: number): string {
  const [minutes, seconds] = [Math.floor(total / 60), total % 60]
  const { both, ...one } = durationTexts
  if (minutes > 0 && seconds > 0) return say(both, { minutes, seconds })
  return minutes > 0 ? say(one.minutes, { minutes }) : say(one.seconds, { seconds })
}
