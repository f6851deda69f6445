import type { Leaf } from '../structure/leaves.ts'
import { type Candidate, canBe, type RecognisedField } from './candidate.ts'
import {
  type Context,
  describeBeside,
  describeBesideEmail,
  describeFor,
  describeGroup,
  describeLead,
  describePayload,
  describeValue,
  type Features,
  isContact,
} from './features.ts'
import { committedWeights, placeOf, Scorer, type Sums, type Weights } from './model.ts'
import { areOfOnePerson, isBefore } from './other-contacts.ts'

/** A value that was chosen for a field, and how probable it is that a careful person would choose it, 0 to 1. */
export interface Choice {
  field: RecognisedField
  candidate: Candidate
  value: string
  probability: number
}

/** What the manual mapping or the sender's folder decided: these leaves are not chosen, and the contacts among them are the lead's. */
export interface Settled {
  taken: ReadonlySet<Leaf>
  contacts: ReadonlySet<Leaf>
  nameParts: ReadonlySet<Leaf>
  /** All that the mapping decided about. */
  decided: ReadonlyMap<Leaf, unknown>
  /** No other contacts are the lead's. */
  hasAllContacts: boolean
}

/** A field is taken from this probability on. A contact decides who the lead is; other fields add to it. */
const least = (field: RecognisedField) => (field === 'email' || field === 'phone' ? 0.5 : 0.4)

/** Losing a lead is worse than a lead too many, so even an improbable one is taken, as uncertain. */
const leastOfLead = 0.2
const maxRivals = 12

/** The only contact of a payload is taken from this probability on. */
const leastOfOnly = 0.3

/** Beside a first name, a last name is taken from this probability on. */
const leastOfLastName = 0.33

const scorers = new WeakMap<Weights, Scorer>()

function scorerOf(weights: Weights): Scorer {
  const scorer = scorers.get(weights) ?? new Scorer(weights)
  scorers.set(weights, scorer)
  return scorer
}

/**
 * Chooses the fields of a payload: the contacts first, then what stands with them. For each field the candidates and "none of them"
 * share the probability by the exponentials of their sums.
 */
export function chooseFields(context: Context, settled?: Settled, weights: Weights = committedWeights()): Choice[] {
  const reader = new Reader(context, scorerOf(weights), settled)
  const { mapped } = reader
  // The mapping says where the contacts are, so there is a lead.
  const leadProbability = mapped.length > 0 ? 1 : reader.leadProbability
  const hasLead = leadProbability >= leastOfLead
  const isMapped = (field: 'email' | 'phone') =>
    mapped.some(({ email }) => (email !== undefined) === (field === 'email'))
  const email = !hasLead || isMapped('email') ? undefined : reader.choose('email', [...mapped])
  const emails = email ? reader.twins(email) : []
  const phone = !hasLead || isMapped('phone') ? undefined : reader.choose('phone', [...mapped, ...emails], emails)
  const found = [email, phone].filter((choice) => choice !== undefined)
  // A lead is not lost because its only contact is uncertain.
  const first = found.length > 0 || mapped.length > 0 || !hasLead ? found : reader.likeliestContact()
  const contacts = [...mapped, ...first.flatMap((choice) => reader.twins(choice))]
  const certain = first.map((choice) => ({ ...choice, probability: choice.probability * leadProbability }))
  const choices = [...certain, ...reader.chooseName(contacts)].filter((choice) => choice !== undefined)
  for (const field of ['company', 'city', 'source', 'notes'] as const) {
    const used = choices.map(({ candidate }) => candidate)
    const choice = reader.choose(field, contacts, used)
    if (choice) choices.push(choice)
  }
  return choices.filter(({ candidate }) => !settled?.taken.has(candidate.leaf))
}

class Reader {
  /** The lead's contacts by the manual mapping. */
  readonly mapped: Candidate[]
  readonly #context: Context
  readonly #scorer: Scorer
  readonly #free: Candidate[]
  readonly #hasNameParts: boolean
  readonly #payload: Sums
  readonly #ofGroup = new Map<Context['candidates'][number]['group'], Sums>()
  readonly #ofValue = new Map<Candidate, Sums>()
  readonly #beside = new Map<Candidate, Sums>()

  constructor(context: Context, scorer: Scorer, settled: Settled | undefined) {
    this.#context = context
    this.#scorer = scorer
    const isFree = ({ leaf }: Candidate) => !settled?.taken.has(leaf) || settled.nameParts.has(leaf)
    this.#free = context.candidates.filter(isFree)
    this.#hasNameParts = (settled?.nameParts.size ?? 0) > 0
    this.mapped = context.candidates.filter(({ leaf }) => settled?.contacts.has(leaf))
    this.#payload = scorer.score((features) => describePayload(features, context))
  }

  /** How probable it is that the payload has a lead. */
  get leadProbability(): number {
    const sum = this.#scorer.scoreOf('lead', (features) => describeLead(features, this.#context))
    return 1 / (1 + Math.exp(-sum))
  }

  /** Returns the choice for a field if it is probable enough. */
  choose(
    field: RecognisedField,
    contacts: readonly Candidate[],
    used: readonly Candidate[] = [],
    atLeast = least(field),
  ): Choice | undefined {
    const candidates = this.#likeliest(
      field,
      this.#free.filter((candidate) => canBe(field, candidate)),
    )
    if (candidates.length === 0) return undefined
    const scores = candidates.map((candidate) => this.#score(field, candidate, contacts))
    const highest = Math.max(0, ...scores)
    const shares = scores.map((score) => Math.exp(score - highest))
    const all = shares.reduce((sum, share) => sum + share, Math.exp(-highest))
    // The same value in several places counts together.
    const free = candidates.keys().filter((at) => !used.includes(candidates[at]!))
    const values = [...Map.groupBy(free, (at) => sameValue(field, candidates[at]!)).values()]
      .map((places) => ({
        candidate: candidates[places.reduce((one, other) => (shares[other]! > shares[one]! ? other : one))]!,
        probability: places.reduce((sum, at) => sum + shares[at]!, 0) / all,
      }))
      .sort((one, other) => other.probability - one.probability)
    const [likeliest] = values
    if (!likeliest) return undefined
    // So do the phones of one person, or the emails: which of them is the first is another question.
    const ofOne = isContact(field)
      ? values.filter((one) => one === likeliest || areOfOnePerson(one.candidate, likeliest.candidate))
      : [likeliest]
    const probability = ofOne.reduce((sum, one) => sum + one.probability, 0)
    if (probability < atLeast) return undefined
    const { candidate } = ofOne.reduce((first, one) => (isBefore(one.candidate, first.candidate) ? one : first))
    return { field, candidate, value: valueFor(field, candidate), probability }
  }

  likeliestContact(): Choice[] {
    const contacts = (['email', 'phone'] as const).flatMap((field) => this.choose(field, [], [], leastOfOnly) ?? [])
    return contacts.sort((one, other) => other.probability - one.probability).slice(0, 1)
  }

  /** The whole name or its parts, whichever is more probable. */
  chooseName(contacts: Candidate[]): (Choice | undefined)[] {
    const name = this.choose('name', contacts)
    const first = this.choose('first_name', contacts)
    const last = this.choose('last_name', contacts, [], first && leastOfLastName)
    const both = first && last && first.candidate !== last.candidate ? Math.min(first.probability, last.probability) : 0
    const alone = first && !last && !/\s/.test(first.value) ? first.probability : 0
    // Where it may be either, it is the whole.
    const share = name && name.candidate === first?.candidate ? 0.96 : 0.98
    if (this.#hasNameParts) {
      // Beside a part that is mapped by hand, a name of one word is the other part.
      const other = name && !/\s/.test(name.value) ? name : undefined
      return [
        first ?? (other && { ...other, field: 'first_name' }),
        last ?? (other && { ...other, field: 'last_name' }),
      ]
    }
    if (name && name.probability >= share * Math.max(both, alone)) return [name]
    // A part of a name is as certain as the whole.
    if (both > 0) return [first, last].map((part) => part && { ...part, probability: both })
    return alone > 0 ? [first] : []
  }

  /** The places of a contact: the same number may be in several objects. */
  twins({ field, candidate }: Choice): Candidate[] {
    return this.#context.candidates.filter(
      (one) => canBe(field, one) && sameValue(field, one) === sameValue(field, candidate),
    )
  }

  /** Returns the candidates that fit best by themselves: others cost time, and hundreds of them a share. */
  #likeliest(field: RecognisedField, candidates: Candidate[]): Candidate[] {
    if (candidates.length <= maxRivals) return candidates
    const place = placeOf(field)
    const scores = new Map(candidates.map((candidate) => [candidate, this.#alone(candidate, place)]))
    return candidates.sort((one, other) => scores.get(other)! - scores.get(one)!).slice(0, maxRivals)
  }

  /** How well it fits by itself and by its object. */
  #alone(candidate: Candidate, place: number): number {
    const { group } = candidate
    const ofGroup = remembered(this.#ofGroup, group, () =>
      this.#scorer.score((features) => describeGroup(features, this.#context.byGroup.get(group)!)),
    )
    const ofValue = remembered(this.#ofValue, candidate, () =>
      this.#scorer.score((features) => describeValue(features, candidate, this.#context)),
    )
    return ofGroup[place]! + ofValue[place]!
  }

  #score(field: RecognisedField, candidate: Candidate, contacts: readonly Candidate[]): number {
    const place = placeOf(field)
    const own = this.#scorer.scoreOf(field, (features) => describeFor(features, field, candidate, this.#context))
    // The contacts are the same for all fields but the first two.
    const isFinal = field !== 'email' && field !== 'phone'
    const describe = (features: Features) => describeBeside(features, candidate, contacts)
    const beside = isFinal
      ? remembered(this.#beside, candidate, () => this.#scorer.score(describe))[place]!
      : this.#scorer.scoreOf(field, describe)
    const ofEmail = this.#scorer.scoreOf(field, (features) => describeBesideEmail(features, field, candidate, contacts))
    const payload = isContact(field) ? this.#payload[place]! : 0
    return this.#alone(candidate, place) + own + beside + ofEmail + payload
  }
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

function sameValue(field: RecognisedField, { value, email, digits }: Candidate): string {
  if (field === 'email') return email!.toLowerCase()
  return field === 'phone' ? (digits ?? value) : value
}

function valueFor(field: RecognisedField, { value, email, phone, mailboxName }: Candidate): string {
  if (field === 'email') return email!
  if (field === 'phone') return phone ?? value
  return field === 'name' && email !== undefined ? mailboxName! : value
}
