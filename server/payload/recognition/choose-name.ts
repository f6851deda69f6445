import type { Choice } from './choose-contact.ts'
import { isKnownCity } from './cities.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import { isCompanyLike, isThingLike, mailboxIn, nameShape } from './values.ts'

export type NameChoice = { whole: Choice } | { first: Choice | undefined; last: Choice | undefined }

export function chooseName(all: Evidence[], contacts: Evidence[]): NameChoice | undefined {
  const usable = all.filter((evidence) => !evidence.staff && !evidence.thing && !evidence.attribute)
  const numbered = numberedParts(all)
  if (numbered) return numbered
  const whole = best(usable, (evidence) => wholeScore(evidence, contacts))
  const first = best(usable, (evidence) => partScore(evidence, 'first', contacts))
  const last = best(usable, (evidence) => partScore(evidence, 'last', contacts, first?.evidence))
  if (whole && last && !first && isOnlyFirst(whole.value, last.value) && whole.evidence.group === last.evidence.group) {
    return { first: whole, last }
  }
  if (
    whole &&
    first &&
    !last &&
    !(whole.evidence.person && inEnglish.test(first.evidence.labels[0] ?? '')) &&
    isOneWord(whole) &&
    whole.evidence.group === first.evidence.group
  ) {
    // In German, French and Spanish the plain word for a name is the family name beside a first name.
    if (!sameStart(whole.value, first.value)) return { first, last: whole }
  }
  if (first && (!whole || first.score + (last ? 25 : -20) > whole.score)) {
    if (!whole || !isFuller(whole, first, last)) return { first, last }
  }
  if (whole) return { whole: wellWritten(fuller(whole, usable), usable) }
  if (last) return { first: undefined, last }
  const framed = framedName(usable, contacts)
  if (framed) return { whole: framed }
  const unnamed = best(usable, unnamedScore)
  return unnamed && { whole: { ...unnamed, reason: 'Value looks like a person’s name' } }
}

const inEnglish = /first|given|fname/i

/** Gravity Forms numbers the parts of a name `1.3` (first) and `1.6` (last) in any field. */
function numberedParts(all: Evidence[]): NameChoice | undefined {
  for (const first of all) {
    const field = /^(\D*\d+[._])3$/.exec(first.labels[0] ?? '')?.[1]
    const last = field && inGroup(all, first.group).find((other) => other.labels[0] === `${field}6`)
    if (!last || nameShape(first.value) === 0 || nameShape(last.value) === 0) continue
    const choice = (evidence: Evidence) => ({
      evidence,
      value: evidence.value,
      reason: 'Field number matches a part of a name',
      score: 60,
    })
    return { first: choice(first), last: choice(last) }
  }
  return undefined
}

function best(all: Evidence[], scoreOf: (evidence: Evidence) => number): Choice | undefined {
  let chosen: Choice | undefined
  for (const evidence of all) {
    const score = scoreOf(evidence)
    if (score < 45 || (chosen && score <= chosen.score)) continue
    chosen = {
      evidence,
      value: evidence.value.replace(/\s+/g, ' '),
      reason: 'Field name matches a person’s name',
      score,
    }
  }
  return chosen
}

function wholeScore(evidence: Evidence, contacts: Evidence[]): number {
  const named = Math.max(evidence.senses.name ?? 0, Math.min(evidence.senses.reach ?? 0, 50))
  if (named === 0) return 0
  const shape = nameShape(evidence.value)
  if (shape === 0) return 0
  if (named < 75 && (shape < 2 || isCompanyLike(evidence.value))) return 0
  if (named < 75 && !evidence.person && isKnownCity(evidence.value)) return 0
  const ofChat = /^(chat|notify|push)/i.test(evidence.labels[0] ?? '') ? 10 : 0
  return named + (evidence.person ? 8 : 0) + shape * 5 + nearness(evidence, contacts) - ofChat
}

/** A plain `name` far from the person's email and phone is that of a form, an event or a page. */
function nearness(evidence: Evidence, contacts: Evidence[]): number {
  if (contacts.some((contact) => contact.group === evidence.group)) return 10
  if (evidence.person) return 0
  const around = meaningOf(evidence.around[0] ?? '')
  const isExtra =
    contacts.some((contact) => contact.group === evidence.group.parent) && (around.bare || around.senses.notes)
  if (isExtra && !isThingLike(evidence.value)) return -15
  if (contacts.length === 0) return isThingLike(evidence.value) ? -60 : 0
  return evidence.bare ? -60 : -10
}

function partScore(evidence: Evidence, part: 'first' | 'last', contacts: Evidence[], first?: Evidence): number {
  const named = evidence.senses[part] ?? 0
  if (named === 0 || nameShape(evidence.value) === 0) return 0
  const together = first && first.group === evidence.group ? 6 : 0
  const near = contacts.some((contact) => contact.group === evidence.group) ? 8 : 0
  return named + (evidence.person ? 8 : 0) + near + together
}

function isOneWord({ value }: Choice): boolean {
  return value.split(' ').length <= 2
}

function isOnlyFirst(whole: string, last: string): boolean {
  return !whole.toLowerCase().includes(last.toLowerCase())
}

function sameStart(whole: string, first: string): boolean {
  return whole.toLowerCase().includes(first.toLowerCase())
}

function isFuller(whole: Choice, first: Choice, last: Choice | undefined): boolean {
  const name = whole.value.toLowerCase()
  return name.includes(first.value.toLowerCase()) && (!last || name.includes(last.value.toLowerCase()))
}

/** Prefers a name that begins with this one, which may be a nickname: `Lívia` and `Lívia Prado`. */
function fuller(whole: Choice, all: Evidence[]): Choice {
  if (/\s/.test(whole.value)) return whole
  const better = all.find(
    ({ value, senses, labels, person }) =>
      person &&
      (senses.name ?? 0) >= 75 &&
      !/^chat/i.test(labels[0] ?? '') &&
      value.startsWith(`${whole.value} `) &&
      nameShape(value) === 2,
  )
  return better ? { ...whole, evidence: better, value: better.value } : whole
}

/** Prefers the same name in ordinary writing to one in capitals. */
function wellWritten(whole: Choice, all: Evidence[]): Choice {
  if (whole.value !== whole.value.toUpperCase() || !/[A-Z]/.test(whole.value)) return whole
  const better = all.find(
    (evidence) => evidence.value !== whole.value && evidence.value.toLowerCase() === whole.value.toLowerCase(),
  )
  return better ? { ...whole, evidence: better, value: better.value } : whole
}

function framedName(all: Evidence[], contacts: Evidence[]): Choice | undefined {
  for (const evidence of all) {
    const name = contacts.includes(evidence) ? mailboxIn(evidence.value)?.name : undefined
    if (name && nameShape(name) > 0)
      return { evidence, value: name, reason: 'Name before the email address', score: 60 }
  }
  return undefined
}

function unnamedScore(evidence: Evidence): number {
  if (!evidence.opaque || Object.keys(evidence.senses).length > 0) return 0
  const { value } = evidence
  const parts = value.split(/\s+/).length
  if (nameShape(value) < 2 || parts < 2 || parts > 4 || /[.,!]$/.test(value)) return 0
  return isCompanyLike(value) || isThingLike(value) || isKnownCity(value) ? 0 : 50
}
