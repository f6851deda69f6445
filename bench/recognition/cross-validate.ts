import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { chooseFields } from '../../server/intake/payload/recognition/choose.ts'
import { isName } from '../../server/intake/payload/recognition/features.ts'
import { hashText } from '../../server/intake/payload/recognition/hash.ts'
import { joinedAt } from '../../server/intake/payload/recognition/joined-value.ts'
import { readWeights } from '../../server/intake/payload/recognition/model.ts'
import { isSure } from '../../server/intake/payload/recognition/recognise.ts'
import type { Fields } from '../../test/labelled-payloads.ts'
import { judgedFields } from '../../test/labelled-payloads.ts'
import { learn } from './learn.ts'
import { type Example, isRight } from './questions.ts'

/** Reads each payload with weights that were learned without the payloads of its group: of its vendor, or of its kind of platform. */

export type Grouping = 'vendor' | 'family'
const parts = 4

/** What became of a field that was expected or read. */
export interface Outcome {
  platform: string
  field: (typeof judgedFields)[number]
  result: 'right' | 'wrong' | 'missed'
  isExpected: boolean
  /** Undefined if nothing was read. */
  probability: number | undefined
  isSure: boolean
}

export interface Judged {
  outcomes: Outcome[]
  rejected: string[]
  invented: string[]
}

/** Judges one of the parts. */
export function judgePart(examples: readonly Example[], grouping: Grouping, part: number): Judged {
  const partOf = ({ vendor, sample }: Example) => hashText(grouping === 'vendor' ? vendor : sample.family) % parts
  const weights = readWeights(learn(examples.filter((example) => partOf(example) !== part).map(({ sample }) => sample)))
  const judged: Judged = { outcomes: [], rejected: [], invented: [] }
  for (const example of examples.filter((example) => partOf(example) === part)) {
    const choices = chooseFields(example.context, undefined, weights)
    const leaves = example.context.candidates.map(({ leaf }) => leaf)
    const found: Fields = {}
    const probabilities: Partial<Record<string, number>> = {}
    const right = new Set<string>()
    const unsure = new Set<string>()
    for (const choice of choices) {
      const { field, value, candidate, probability } = choice
      const judgedField = field === 'first_name' || field === 'last_name' ? 'name' : field
      const joined = isName(field) ? joinedAt(field, candidate.leaf, leaves, 'IN') : undefined
      found[judgedField] = [found[judgedField], joined ?? value].filter(Boolean).join(' ')
      probabilities[judgedField] = Math.min(probability, probabilities[judgedField] ?? 1)
      if (!isSure(choice)) unsure.add(judgedField)
      if (judgedField !== 'name' && isRight(field, candidate, example)) right.add(field)
    }
    if (found.name?.replace(/\s+/g, ' ') === example.expected.name) right.add('name')
    const { platform } = example.sample
    const isLead = ({ email, phone }: Fields) => email !== undefined || phone !== undefined
    if (isLead(example.expected) && !isLead(found)) judged.rejected.push(platform)
    if (!isLead(example.expected) && isLead(found)) judged.invented.push(platform)
    for (const field of judgedFields) {
      const isExpected = example.expected[field] !== undefined
      if (!isExpected && found[field] === undefined) continue
      const result = found[field] === undefined ? 'missed' : isExpected && right.has(field) ? 'right' : 'wrong'
      judged.outcomes.push({
        platform,
        field,
        result,
        isExpected,
        probability: probabilities[field],
        isSure: !unsure.has(field),
      })
    }
  }
  return judged
}

/** Judges all parts, two at a time. */
export async function crossValidate(grouping: Grouping): Promise<Judged> {
  const all: Judged[] = []
  const waiting = Array.from({ length: parts }, (_, part) => part)
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const worker = new Worker(new URL('cross-validation-worker.ts', import.meta.url), {
        workerData: { grouping, part },
      })
      const [judged] = (await once(worker, 'message')) as [Judged]
      all.push(judged)
    }
  }
  await Promise.all([work(), work()])
  return {
    outcomes: all.flatMap(({ outcomes }) => outcomes),
    rejected: all.flatMap(({ rejected }) => rejected),
    invented: all.flatMap(({ invented }) => invented),
  }
}
