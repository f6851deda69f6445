import type { Choice } from './choose-contact.ts'
import { best, isUnnamed, isWriting, near } from './choose-text.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import { nameShape, wordCount } from './values.ts'

export function chooseNotes(free: Evidence[], contacts: Evidence[]): Choice | undefined {
  const own = free.filter((evidence) => isWriting(evidence.value) && isThePersons(evidence, free, contacts))
  return (
    best(own, 44, 'Field name matches a message', (evidence) => namedScore(evidence, contacts, free)) ??
    best(own, 40, 'Answer to an open question', openAnswerScore) ??
    best(own, 40, 'Value is a sentence', unnamedScore)
  )
}

/** Texts of a form's consent. */
const smallPrint =
  /^by (clicking|submitting|checking|providing|signing)\b|\bi (hereby )?(agree|consent) to\b|\b(agree|accept|read) (to )?(the|our|your) (privacy|terms)\b/i

/** A dialogue of both sides. */
const dialogue = /^(agent|bot|ai|assistant|user|human|caller|customer|system)\s*:/im

function isThePersons(evidence: Evidence, all: Evidence[], contacts: Evidence[]): boolean {
  const { staff, attribute, thing, question, around, type } = evidence
  const asked = question || /text|long|area|paragraph/i.test(type ?? '')
  if (
    staff ||
    attribute ||
    (thing && !asked && !isRequests(evidence)) ||
    dialogue.test(evidence.value) ||
    smallPrint.test(evidence.value)
  )
    return false
  return (
    !/transcript|history|log/i.test(around.join(' ')) && !isAsked(evidence, all) && !describesThing(evidence, contacts)
  )
}

/** What a job or a request says about itself is what its person wants. */
function isRequests({ labels, around }: Evidence): boolean {
  return (
    /^(job|request|enquiry|inquiry|quote)$/i.test(around[0] ?? '') &&
    (meaningOf(labels[0] ?? '').senses.notes ?? 0) > 80
  )
}

/** Whether it is a question of the form itself, which has an id or a type beside it. */
function isAsked({ labels, group }: Evidence, all: Evidence[]): boolean {
  if (!/^question$/i.test(labels[0] ?? '')) return false
  return inGroup(all, group).some((other) => /question.?(id|name)|type/i.test(other.labels[0] ?? ''))
}

const described =
  /\b(pay|payments?|orders?|invoices?|items?|products?|events?|webinars?|plans?|subscriptions?|actions?|tools?|steps?|tasks?|templates?)\b/

const enveloped = /^(data|payload|body|object|attributes|fields|record)$/i

/** Whether it describes a product or an event, in the words of the business. */
function describesThing({ labels, around, group }: Evidence, contacts: Evidence[]): boolean {
  if (!/^description$/i.test(labels[0] ?? '') || contacts.some((contact) => contact.group === group)) return false
  if (enveloped.test(around[0] ?? '')) return false
  return around.some((name) => described.test(meaningOf(name).words.join(' ')))
}

/** Status texts of a system in a message field. */
const envelope =
  /^(ok|created|received|done|true|accepted|lead (received|created|generated).*|.*success(ful|fully)?[.!]?)$/i

/** Whether the text describes an event, beside the event's type and not beside the contact. */
function isEvents({ labels, group, around }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (!/^(summary|description)$/i.test(labels[0] ?? '') || contacts.some((contact) => contact.group === group))
    return false
  return inGroup(all, group).some(
    (other) => other.around.length === around.length && /^(event|resource)[ _-]?type$/i.test(other.labels[0] ?? ''),
  )
}

function namedScore(evidence: Evidence, contacts: Evidence[], all: Evidence[]): number {
  const { senses, value } = evidence
  const strength = senses.notes ?? 0
  if (strength === 0 || (value.length < 200 && envelope.test(value))) return 0
  const { name, email, phone, source, company, city } = senses
  if ([name, email, phone, source, company, city].some((other) => (other ?? 0) >= strength)) return 0
  const words = wordCount(value)
  if (isEvents(evidence, contacts, all)) return 0
  if (strength < 60 && words < 3) return 0
  if (words < 2 && /^description$/i.test(evidence.labels[0] ?? '')) return 0
  const inNotes = meaningOf(evidence.around[0] ?? '').senses.notes ? 7 : 0
  return strength + near(evidence, contacts) + (words >= 3 ? 4 : 0) + inNotes
}

const closedQuestion =
  /^(when|which|how (many|much|old|soon|long)|do you|are you|is |have you|where|who|did|will|would you|can you|select|choose)\b/i

const consent = /^(yes,? )?(i|we)( hereby)? (agree|accept|consent|confirm|understand|authori[sz]e)\b/i

function openAnswerScore({ question, type, senses, labels, value }: Evidence): number {
  if (!question || /choice|select|radio|dropdown|check/i.test(type ?? '')) return 0
  if (Object.values(senses).some((strength) => strength >= 50)) return 0
  const label = labels[0] ?? ''
  if (closedQuestion.test(label.replaceAll('_', ' ')) || consent.test(value)) return 0
  return wordCount(value) >= (/[?？]/.test(label) ? 3 : 5) ? 42 : 0
}

function unnamedScore(evidence: Evidence): number {
  if (!isUnnamed(evidence) || evidence.thing) return 0
  const least = /text|area|multi|input/i.test(evidence.labels.join(' ')) ? 3 : 4
  if (wordCount(evidence.value) < least) return 0
  return nameShape(evidence.value) < 2 || evidence.value.length > 40 ? 45 : 0
}
