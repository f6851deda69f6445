import type { Choice } from './choose-contact.ts'
import { isKnownCity } from './cities.ts'
import type { Evidence } from './evidence.ts'
import { meaningOf } from './label.ts'
import { isCompanyLike, isLink, isNumeric, mailboxIn, nameShape, phoneIn, wordCount } from './values.ts'

type ScoreOf = (evidence: Evidence) => number

function best(all: Evidence[], least: number, reason: string, scoreOf: ScoreOf): Choice | undefined {
  let chosen: Choice | undefined
  for (const evidence of all) {
    const score = scoreOf(evidence)
    if (score < least || (chosen && score <= chosen.score)) continue
    chosen = { evidence, value: evidence.value, reason, score }
  }
  return chosen
}

function isWriting(value: string): boolean {
  return /\p{L}/u.test(value) && !isLink(value) && !mailboxIn(value) && !/^\d{4}-\d\d-\d\d/.test(value)
}

function near(evidence: Evidence, contacts: Evidence[]): number {
  return contacts.some((contact) => contact.group === evidence.group) ? 6 : 0
}

export function chooseCompany(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  const named = best(all, 55, 'named like a company', (evidence) => {
    const { senses, value } = evidence
    if (!senses.company || evidence.staff || evidence.thing || evidence.attribute) return 0
    if (!isWriting(value) || value.length > 200 || isNumeric(value)) return 0
    return senses.company + (evidence.person ? 8 : 0) + near(evidence, contacts)
  })
  if (named) return ofTheReceiver(named, all) ? undefined : named
  return best(all, 50, 'written like a company’s name, under a key that says nothing', (evidence) => {
    return isUnnamed(evidence) && isCompanyLike(evidence.value) ? 50 : 0
  })
}

/** A record of a call names the company that was called; the caller's things are named `customer_…` there. */
function ofTheReceiver(company: Choice, all: Evidence[]): boolean {
  if (company.evidence.person) return false
  const beside = all.filter((evidence) => evidence.group === company.evidence.group)
  const isCall = beside.some((evidence) =>
    /recording|duration|tracking|call_?(type|id|sid|status)/i.test(evidence.labels[0] ?? ''),
  )
  return isCall && beside.some((evidence) => evidence.person && evidence.senses.name)
}

function isUnnamed(evidence: Evidence): boolean {
  return evidence.opaque && Object.values(evidence.senses).every((strength) => strength < 40)
}

export function chooseCity(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  const named = best(all, 50, 'named like a city', (evidence) => {
    const { senses, value } = evidence
    if (!senses.city || evidence.staff || evidence.thing || evidence.attribute) return 0
    if (!isWriting(value) || value.length > 100 || isNumeric(value) || isNamedPlaces(evidence, all)) return 0
    const surely = isKnownCity(value) ? 15 : 0
    return senses.city + surely + (evidence.person ? 8 : 0) + near(evidence, contacts)
  })
  if (named) return named
  return best(all, 50, 'a city', (evidence) => {
    if (evidence.staff || evidence.thing || !isKnownCity(evidence.value)) return 0
    return evidence.senses.place ? 60 : isUnnamed(evidence) ? 50 : 0
  })
}

/** A place with a name of its own is where the form or the shop stands. */
function isNamedPlaces(city: Evidence, all: Evidence[]): boolean {
  const { senses } = meaningOf(city.around[0] ?? '')
  if (!senses.place) return false
  const beside = all.filter((other) => other.group === city.group && other.around[0] === city.around[0])
  return beside.some((other) => other.labels.includes('name') || other.labels.includes('Name'))
}

/** Within something that hangs on the person's record: an earlier visit, a conversion, a message. */
function isAside(evidence: Evidence, contacts: Evidence[]): boolean {
  const around = meaningOf(evidence.around[0] ?? '')
  return !around.bare && !around.senses.source && contacts.some((contact) => contact.group === evidence.group.parent)
}

const platforms =
  /^(ig|fb|facebook|instagram|messenger|whatsapp|google|youtube|linkedin|tiktok|snapchat|twitter|telegram)$/i

export function chooseSource(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  return best(all, 45, 'named like where the lead came from', (evidence) => {
    const { senses, value } = evidence
    const utm = /utm/i.test(evidence.labels.join(' '))
    if (value.length > 200 || (evidence.staff && !utm) || !isWriting(value) || isNumeric(value) || phoneIn(value))
      return 0
    if (!senses.source) {
      const isPlatform = evidence.labels.some((label) => /^(platform|channel|publisher_platform)$/i.test(label))
      return isPlatform && platforms.test(value) ? 50 : 0
    }
    if (evidence.thing && !evidence.question && !utm) return 0
    const own = utm || senses.source >= 95
    const aside = !own && isAside(evidence, contacts) ? 45 : 0
    return senses.source + near(evidence, contacts) - Math.min(evidence.around.length, 5) - aside
  })
}

const envelope =
  /^(success|successful|ok|created|received|done|true|accepted|lead (received|created|generated).*|.*success(ful|fully)?[.!]?)$/i
const closedQuestion =
  /^(when|which|how (many|much|old|soon|long)|do you|are you|is |have you|where|who|did|will|would you|can you|select|choose)\b/i

export function chooseNotes(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  const named = best(all, 44, 'named like a message', (evidence) => {
    const { senses, value } = evidence
    const strength = senses.notes ?? 0
    if (strength === 0 || evidence.staff || evidence.attribute || envelope.test(value) || !isWriting(value)) return 0
    if (evidence.thing && !evidence.question && evidence.labels.length < 2) return 0
    const others = Math.max(
      senses.name ?? 0,
      senses.email ?? 0,
      senses.phone ?? 0,
      senses.source ?? 0,
      senses.company ?? 0,
      senses.city ?? 0,
    )
    if (others >= strength) return 0
    const length = wordCount(value)
    if (strength < 60 && length < 3) return 0
    return strength + near(evidence, contacts) + (length >= 3 ? 4 : 0)
  })
  if (named) return named
  return (
    best(all, 40, 'the answer to an open question', openAnswer) ??
    best(all, 40, 'a sentence under a key that says nothing', (evidence) => {
      if (!isUnnamed(evidence) || evidence.thing || evidence.staff || !isWriting(evidence.value)) return 0
      return wordCount(evidence.value) >= 4 && (nameShape(evidence.value) < 2 || evidence.value.length > 40) ? 45 : 0
    })
  )
}

function openAnswer(evidence: Evidence): number {
  if (
    !evidence.question ||
    evidence.attribute ||
    evidence.staff ||
    /choice|select|radio|dropdown|check/i.test(evidence.type ?? '')
  )
    return 0
  if (Object.values(evidence.senses).some((strength) => strength >= 50)) return 0
  const label = evidence.labels[0] ?? ''
  if (!/[?？]/.test(label) || closedQuestion.test(label.replaceAll('_', ' '))) return 0
  return isWriting(evidence.value) && wordCount(evidence.value) >= 3 ? 42 : 0
}
