import type { Confidence } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import committed from './weights.json' with { type: 'json' }

/** For each field, how much each of its features counts, and the least sum that is enough. */
export type Weights = typeof committed
export type ScoredField = keyof Weights

/** What is true of a value as a candidate for a field, from 0 to 1 or as a count. */
export type Features<Field extends ScoredField> = Partial<Record<Exclude<keyof Weights[Field], 'least'>, number>>

export type Candidate<Field extends ScoredField = ScoredField> = {
  evidence: Evidence
  value: string
  features: Features<Field>
}

export type Choice = Omit<Candidate, 'features'> & { reason: string; score: number }

export type Scoring = {
  weights: Weights
  /** Called with all candidates of a field, for training. */
  observe?: (field: ScoredField, candidates: readonly Candidate[]) => void
}

export const scoring: Scoring = { weights: committed }

/** Returns the candidate with the largest sum of its weighted features; of several, the first. */
export function choose<Field extends ScoredField>(
  field: Field,
  candidates: readonly Candidate<Field>[],
  { weights, observe }: Scoring,
): Choice | undefined {
  observe?.(field, candidates)
  const own: Record<string, number> = weights[field]
  let chosen: { candidate: Candidate<Field>; score: number } | undefined
  for (const candidate of candidates) {
    const score = sum(candidate.features, own)
    if (score >= own.least! && (!chosen || score > chosen.score)) chosen = { candidate, score }
  }
  if (!chosen) return undefined
  const { candidate, score } = chosen
  const { evidence, value, features } = candidate
  return { evidence, value, score, reason: reasonOf(field, features, own) }
}

/** A value with a clear name scores about 100. */
export function confidenceOf(score: number): Confidence {
  if (score >= 80) return 'certain'
  return score >= 60 ? 'likely' : 'unsure'
}

function sum(features: Record<string, number | undefined>, weights: Record<string, number>): number {
  let total = 0
  for (const name in features) total += (weights[name] ?? 0) * (features[name] ?? 0)
  return total
}

/** What people read: the reason of the feature that counted most. */
const reasons: {
  [Field in ScoredField]: Features<Field> extends infer Own ? { [Name in keyof Own]?: string } : never
} = {
  email: {
    named: 'Field name and value match an email',
    unnamedKey: 'Value is an email',
    unnamed: 'Value is an email',
    only: 'Value is the only email',
  },
  phone: {
    named: 'Field name and value match a phone number',
    account: 'Number is that of the account that wrote',
    unnamedKey: 'Value is a possible phone number',
    international: 'Value is a possible phone number',
  },
  name: { named: 'Field name matches a person’s name' },
  first_name: { named: 'Field name matches a person’s name' },
  last_name: { named: 'Field name matches a person’s name' },
  company: {
    named: 'Field name matches a company',
    companyLike: 'Value looks like a company name',
    companyLikeName: 'Name looks like that of a company',
  },
  city: {
    named: 'Field name matches a city',
    knownCityInPlace: 'Value is a known city',
    knownCityAlone: 'Value is a known city',
  },
  source: {
    named: 'Field name matches a source',
    origin: 'Field name matches a source',
    platform: 'Field name matches a source',
  },
  notes: {
    named: 'Field name matches a message',
    openAnswer: 'Answer to an open question',
    sentence: 'Value is a sentence',
  },
}

function reasonOf(
  field: ScoredField,
  features: Record<string, number | undefined>,
  weights: Record<string, number>,
): string {
  const texts: Record<string, string | undefined> = reasons[field]
  let best: { text: string; counts: number } | undefined
  for (const name in features) {
    const text = texts[name]
    const counts = (weights[name] ?? 0) * (features[name] ?? 0)
    if (text !== undefined && counts !== 0 && (!best || counts > best.counts)) best = { text, counts }
  }
  return best?.text ?? 'Value fits the field'
}
