import { type Evidence, inGroup, isUnnamed } from './evidence.ts'
import { meaningOf } from './label.ts'
import { type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { besideContact } from './surroundings.ts'
import { isWriting, nameShape, wordCount } from './values.ts'

export function chooseNotes(free: Evidence[], contacts: Evidence[], scoring: Scoring): Choice | undefined {
  const candidates = free.flatMap((evidence) => {
    const reply = chosenReply(evidence)
    if (reply) return [{ evidence, value: evidence.value, features: reply }]
    if (!isWriting(evidence.value) || !isThePersons(evidence, free, contacts)) return []
    const features =
      namedFeatures(evidence, contacts) ?? openAnswer(evidence) ?? (isSentence(evidence) ? { sentence: 1 } : undefined)
    return features ? [{ evidence, value: evidence.value, features }] : []
  })
  return choose('notes', candidates, scoring)
}

/** The title of the button or list entry that a person chose in a chat. */
function chosenReply({ labels, around, value }: Evidence): Features<'notes'> | undefined {
  const isReply = /^title$/i.test(labels[0] ?? '') && /^(list|button)[_ -]?reply$/i.test(around[0] ?? '')
  return isReply && nameShape(value) > 0 ? { named: 0.9 } : undefined
}

/** Texts of a form's consent. */
const smallPrint =
  /^by (clicking|submitting|checking|providing|signing)\b|\bi (hereby )?(agree|consent) to\b|\b(agree|accept|read) (to )?(the|our|your) (privacy|terms)\b/i

/** A dialogue of both sides. */
const dialogue = /^(agent|bot|ai|assistant|user|human|caller|customer|system)\s*:/im

function isThePersons(evidence: Evidence, all: Evidence[], contacts: Evidence[]): boolean {
  const { staff, attribute, thing, question, around, type, value } = evidence
  const asked = question || /text|long|area|paragraph/i.test(type ?? '')
  if (staff || attribute || (thing && !asked && !isRequests(evidence))) return false
  if (dialogue.test(value) || smallPrint.test(value) || /transcript|history|log/i.test(around.join(' '))) return false
  return !isAsked(evidence, all) && !isAboutProduct(evidence, contacts, all) && !isAboutEvent(evidence, contacts, all)
}

/** What a job or a request says about itself is what its person wants. */
function isRequests({ labels, around }: Evidence): boolean {
  const isNamed = (meaningOf(labels[0] ?? '').senses.notes ?? 0) > 75
  return isNamed && /^(job|request|enquiry|inquiry|quote)$/i.test(around[0] ?? '')
}

/** Whether it is a question of the form itself, which has an id or a type beside it. */
function isAsked({ labels, group }: Evidence, all: Evidence[]): boolean {
  if (!/^question$/i.test(labels[0] ?? '')) return false
  return inGroup(all, group).some((other) => /question.?(id|name)|type/i.test(other.labels[0] ?? ''))
}

const described =
  /\b(pay|payments?|orders?|invoices?|items?|products?|events?|webinars?|plans?|subscriptions?|actions?|tools?|steps?|tasks?|templates?)\b/

const paid = /^(currency|merchant[ _-]?(name|id)|collector[ _-]?id|payer[ _-]?(email|id)|payment[ _-]?(id|method))$/i

const enveloped = /^(data|payload|body|object|attributes|fields|record)$/i

/** Whether it describes a product or a task, in the words of the business. */
function isAboutProduct(evidence: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { labels, around, group } = evidence
  if (!/^description$/i.test(labels[0] ?? '')) return false
  if (inGroup(all, group).some((other) => paid.test(other.labels[0] ?? ''))) return true
  if (besideContact(evidence, contacts)) return false
  if (enveloped.test(around[0] ?? '')) return false
  return around.some((name) => described.test(meaningOf(name).words.join(' ')))
}

/** Whether it describes an event, beside the event's type and not beside the contact. */
function isAboutEvent(evidence: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { labels, group, around } = evidence
  if (!/^(summary|description)$/i.test(labels[0] ?? '') || besideContact(evidence, contacts)) return false
  return inGroup(all, group).some(
    (other) => other.around.length === around.length && /^(event|resource)[ _-]?type$/i.test(other.labels[0] ?? ''),
  )
}

/** Status texts of a system in a message field. */
const status =
  /^(ok|created|received|done|true|accepted|(incoming )?(lead|message|call|sms) (received|created|generated).*|.*success(ful|fully)?[.!]?)$/i

function namedFeatures(evidence: Evidence, contacts: Evidence[]): Features<'notes'> | undefined {
  const { senses, value, labels, around } = evidence
  const strength = senses.notes ?? 0
  if (strength === 0 || (value.length < 200 && status.test(value))) return undefined
  const { name, email, phone, source, company, city } = senses
  if ([name, email, phone, source, company, city].some((other) => (other ?? 0) >= strength)) return undefined
  const words = wordCount(value)
  if (words < leastWords(strength, labels[0] ?? '')) return undefined
  return {
    named: strength / 100,
    besideContact: besideContact(evidence, contacts),
    inNotes: Number(
      (meaningOf(labels[0] ?? '').senses.notes ?? 0) >= 80 && Boolean(meaningOf(around[0] ?? '').senses.notes),
    ),
    words: Number(words >= 3),
  }
}

/** A field that is certainly for a message may hold a code or an amount. */
function leastWords(strength: number, label: string): number {
  if (strength < 60) return 3
  if (/^description$/i.test(label)) return 2
  return strength < 85 ? 1 : 0
}

const closedQuestion =
  /^(when|which|how (many|much|old|soon|long)|do you|are you|is |have you|where|who|did|will|would you|can you|select|choose)\b/i

const consent = /^(yes,? )?(i|we)( hereby)? (agree|accept|consent|confirm|understand|authori[sz]e)\b/i

function openAnswer({ question, type, senses, labels, value }: Evidence): Features<'notes'> | undefined {
  if (!question || /choice|select|radio|dropdown|check/i.test(type ?? '')) return undefined
  if (Object.values(senses).some((strength) => strength >= 50)) return undefined
  const label = labels[0] ?? ''
  if (closedQuestion.test(label.replaceAll('_', ' ')) || consent.test(value)) return undefined
  return wordCount(value) >= (/[?？]/.test(label) ? 3 : 5) ? { openAnswer: 1 } : undefined
}

function isSentence(evidence: Evidence): boolean {
  if (!isUnnamed(evidence) || evidence.thing) return false
  const least = /text|area|multi|input/i.test(evidence.labels.join(' ')) ? 3 : 4
  return wordCount(evidence.value) >= least && (nameShape(evidence.value) < 2 || evidence.value.length > 40)
}
