import { recognise } from '../server/intake/payload/recognition/recognise.ts'
import { leavesOf } from '../server/intake/payload/structure/leaves.ts'

/** Returns the fields that recognition finds in a payload, of an account in India. */
export function recognisedFields(payload: unknown): Record<string, string> {
  const { found } = recognise(leavesOf(payload), 'IN')
  return Object.fromEntries(found.map(({ field, value }) => [field, value]))
}
