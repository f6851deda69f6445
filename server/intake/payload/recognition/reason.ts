import { msg } from '@lingui/core/runtime-macro'
import type { Language } from '../../../platform/languages/contract.ts'
import { type Text, translate } from '../../../platform/languages/translate.ts'
import { kindOfCandidate } from './candidate.ts'
import type { Choice } from './choose.ts'
import {
  type Context,
  describeBeside,
  describeBesideEmail,
  describeFor,
  describeValue,
  type Features,
} from './features.ts'
import type { Label } from './label.ts'
import { placeOf, rowOf, type Weights } from './model.ts'
import { spaces } from './spaces.ts'

/** What a reason may name. */
const namedTopics = ['name', 'around', 'value', 'type', 'beside', 'email'] as const
type Topic = (typeof namedTopics)[number]

const topicOf = new Map<number, Topic>(
  namedTopics.flatMap((topic) => Object.values(spaces[topic]).map((space): [number, Topic] => [space, topic])),
)

/** Adds up the weights of one field by topic. */
class Explainer implements Features {
  readonly sums: Record<Topic, number> = { name: 0, around: 0, value: 0, type: 0, beside: 0, email: 0 }
  readonly #weights: Weights
  readonly #place: number

  constructor(weights: Weights, place: number) {
    this.#weights = weights
    this.#place = place
  }

  add(space: number, hash: number, value = 1): void {
    const start = this.#weights.rows[rowOf(space, hash)]!
    const topic = start < 0 ? undefined : topicOf.get(space)
    if (topic) this.sums[topic] += this.#weights.values[start + this.#place]! * value
  }

  addAll(space: number, hashes: readonly number[], total = 1): void {
    for (const hash of hashes) this.add(space, hash, total / Math.sqrt(hashes.length))
  }

  ofLabel(_part: string, label: Label, describe: (features: Features, label: Label) => void): void {
    describe(this, label)
  }
}

const reasons = new Map<string, string>()
const maxReasons = 5000

/** Says in a few words which two observations counted most for a choice. The payloads of one sender have the same reasons. */
export function reasonFor(
  choice: Choice,
  context: Context,
  contacts: Choice['candidate'][],
  weights: Weights,
  language: Language = 'en',
): string {
  const { field, candidate } = choice
  const { leaf, kind } = candidate
  const isBesideEmail = contacts.some((one) => one !== candidate && one.email !== undefined)
  const { labels, around, type } = leaf
  const key = JSON.stringify([field, labels[0], around[0], type, kind, contacts.length, isBesideEmail, language])
  const known = reasons.get(key)
  if (known !== undefined) return known
  const reason = inWords(reasonOf(choice, context, contacts, weights), language)
  if (reasons.size > maxReasons) reasons.clear()
  // A name that holds a contact is not kept.
  if (key.length < 400 && !/@|\d{5}/.test(key)) reasons.set(key, reason)
  return reason
}

function reasonOf(choice: Choice, context: Context, contacts: Choice['candidate'][], weights: Weights): Text[] {
  const { field, candidate } = choice
  const explainer = new Explainer(weights, placeOf(field))
  describeValue(explainer, candidate, context)
  describeFor(explainer, field, candidate, context)
  const others = contacts.filter((one) => one !== candidate)
  describeBeside(explainer, candidate, others)
  describeBesideEmail(explainer, field, candidate, others)
  const { leaf, type } = candidate
  const words: Record<Topic, Text | undefined> = {
    name: quoted(leaf.labels[0], (name) => msg`named “${{ name }}”`),
    around: quoted(leaf.around[0], (name) => msg`in “${{ name }}”`),
    value: msg`value is ${{ kind: kindOfCandidate(candidate) }}`,
    type: type && quoted(leaf.type, (name) => msg`of type “${{ name }}”`),
    beside: others.length > 0 ? msg`beside the contact` : undefined,
    email: others.some(({ email }) => email !== undefined) ? msg`like the email` : undefined,
  }
  const topics = (Object.keys(words) as Topic[]).filter((topic) => words[topic] && explainer.sums[topic] > 0)
  const strongest = topics.sort((one, other) => explainer.sums[other] - explainer.sums[one]).slice(0, 2)
  return strongest.length > 0 ? strongest.map((topic) => words[topic]!) : [msg`the only value that fits`]
}

function inWords(reason: Text[], language: Language): string {
  const text = reason.map((one) => translate(one, language)).join(', ')
  return text[0]!.toUpperCase() + text.slice(1)
}

/** A name that holds a contact is not repeated: reasons are kept longer than their delivery. */
function quoted(name: string | undefined, text: (name: string) => Text): Text | undefined {
  if (name === undefined || name === '' || /@|\d{5}/.test(name)) return undefined
  return text(name.length > 60 ? `${name.slice(0, 60).toWellFormed()}…` : name)
}
