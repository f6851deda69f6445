import { phoneKey } from '../../server/crm/contacts/contact.ts'
import { boundPayload } from '../../server/intake/payload/bound-payload.ts'
import {
  type Candidate,
  canBe,
  candidatesIn,
  type RecognisedField,
} from '../../server/intake/payload/recognition/candidate.ts'
import {
  type Context,
  contextOf,
  describeBeside,
  describeBesideEmail,
  describeFor,
  describeGroup,
  describeLead,
  describePayload,
  describeValue,
  type Features,
  isContact,
} from '../../server/intake/payload/recognition/features.ts'
import type { Label } from '../../server/intake/payload/recognition/label.ts'
import { rowOf } from '../../server/intake/payload/recognition/model.ts'
import { leavesOf } from '../../server/intake/payload/structure/leaves.ts'
import type { Fields, LabelledPayload } from '../../test/labelled-payloads.ts'

/** What is asked of the learner: for each payload and field, which of the values a careful person takes, or none. */

/** A payload of one lead with the fields that are expected. */
export interface Example {
  context: Context
  expected: Fields
  /** The sender, which all its payloads share. */
  vendor: string
  sample: LabelledPayload
}

export function examplesOf(samples: readonly LabelledPayload[]): Example[] {
  return samples
    .filter(({ expected }) => !Array.isArray(expected))
    .map((sample) => {
      const { payload } = boundPayload(structuredClone(sample.payload), [])
      const context = contextOf(candidatesIn(leavesOf(payload), 'IN'))
      return { context, expected: sample.expected as Fields, vendor: vendorOf(sample), sample }
    })
}

/** The first word of a platform's name is that of its vendor. */
const vendorOf = ({ platform }: LabelledPayload) => platform.split('_')[0]!

export function isRight(field: RecognisedField, candidate: Candidate, { expected, context }: Example): boolean {
  const { value, email, phone, mailboxName } = candidate
  const { name } = expected
  switch (field) {
    case 'email':
      return expected.email === email
    case 'phone':
      return expected.phone !== undefined && isPhone(phone ?? value, expected.phone)
    case 'name':
      return name !== undefined && (mailboxName === name || value.replace(/\s+/g, ' ') === name)
    case 'first_name': {
      if (name === undefined) return false
      if (value === name) return !/\s/.test(name)
      return name.startsWith(`${value} `) && context.candidates.some((other) => name.endsWith(` ${other.value}`))
    }
    case 'last_name':
      if (!name?.endsWith(` ${value}`)) return false
      return context.candidates.some((other) => name.startsWith(`${other.value} `))
    default:
      return expected[field]?.trim() === value
  }
}

function isPhone(found: string, wanted: string): boolean {
  const key = phoneKey(wanted, 'IN')
  if (found === wanted || (key !== null && phoneKey(found, 'IN') === key)) return true
  // The country code may be in another field.
  const digits = found.replace(/\D/g, '').replace(/^0/, '')
  return digits.length >= 7 && wanted.replace(/\D/g, '').endsWith(digits)
}

/** Collects features as rows of the table of weights. */
class Collector implements Features {
  readonly rows: number[] = []
  readonly values: number[] = []

  add(space: number, hash: number, value = 1): void {
    this.rows.push(rowOf(space, hash))
    this.values.push(value)
  }

  addAll(space: number, hashes: readonly number[], total = 1): void {
    for (const hash of hashes) this.add(space, hash, total / Math.sqrt(hashes.length))
  }

  ofLabel(_part: string, label: Label, describe: (features: Features, label: Label) => void): void {
    describe(this, label)
  }
}

/** Rows of the table of weights, and how much each counts. */
export type Row = { rows: Uint32Array; values: Float32Array }

/** The candidates of a payload for a field with their features; each is a list of rows, some of which others share. */
export interface Question {
  candidates: Row[][]
  right: boolean[]
}

function collected(describe: (features: Features) => void): Row {
  const collector = new Collector()
  describe(collector)
  return { rows: Uint32Array.from(collector.rows), values: Float32Array.from(collector.values) }
}

const ofValues = new WeakMap<Candidate, Row>()
const ofGroups = new WeakMap<object, Row>()
const ofPayloads = new WeakMap<Context, Row>()

function known<Key extends object>(cache: WeakMap<Key, Row>, key: Key, describe: (features: Features) => void): Row {
  const row = cache.get(key) ?? collected(describe)
  cache.set(key, row)
  return row
}

/** Returns the question for a field; undefined if the expected value is none of the candidates, so that nothing can be learned. */
export function questionOf(field: RecognisedField, example: Example): Question | undefined {
  const { context, expected } = example
  const candidates = context.candidates.filter((candidate) => canBe(field, candidate))
  if (candidates.length === 0) return undefined
  const right = candidates.map((candidate) => isRight(field, candidate, example))
  const isPart = field === 'first_name' || field === 'last_name'
  const isExpected = expected[isPart ? 'name' : field] !== undefined
  const hasParts =
    field === 'name' &&
    context.candidates.some((one) => canBe('first_name', one) && isRight('first_name', one, example))
  if (isExpected && !right.includes(true) && !hasParts && !isPart) return undefined
  const chosen = contactsFor(field, example)
  return {
    right,
    candidates: candidates.map((candidate) => [
      known(ofValues, candidate, (features) => describeValue(features, candidate, context)),
      known(ofGroups, candidate.group, (features) => describeGroup(features, context.byGroup.get(candidate.group)!)),
      ...(isContact(field) ? [known(ofPayloads, context, (features) => describePayload(features, context))] : []),
      collected((features) => {
        describeFor(features, field, candidate, context)
        describeBeside(features, candidate, chosen)
        describeBesideEmail(features, field, candidate, chosen)
      }),
    ]),
  }
}

/** Returns the question whether there is a lead. A payload without any contact asks nothing. */
export function leadQuestionOf({ context, expected }: Example): Question[] {
  if (!context.candidates.some((one) => canBe('email', one) || canBe('phone', one))) return []
  const isLead = expected.email !== undefined || expected.phone !== undefined
  return [{ candidates: [[collected((features) => describeLead(features, context))]], right: [isLead] }]
}

/** The contacts that are chosen before the field: in training the right ones. */
function contactsFor(field: RecognisedField, example: Example): Candidate[] {
  const before = field === 'email' ? [] : field === 'phone' ? ['email' as const] : ['email' as const, 'phone' as const]
  return before.flatMap((one) =>
    example.context.candidates.filter((candidate) => canBe(one, candidate) && isRight(one, candidate, example)),
  )
}
