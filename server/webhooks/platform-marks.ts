/** What platforms say about a delivery rather than about the person: its id, and that it is only a test. */

const deliveryIds = new Set([
  ...['leadid', 'leadgenid', 'uniquequeryid', 'queryid', 'enquiryid', 'inquiryid', 'submissionid', 'responseid'],
  ...['entryid', 'eventid', 'deliveryid', 'messageid', 'callid', 'callsid', 'calluuid', 'uuid', 'id'],
])

/** Two levels down, where a platform wraps its delivery in an envelope; further down ids are those of other things. */
const deepest = 2

/**
 * The id that a platform gives a delivery, with the name it has there; null where there is none. It may be the id of
 * something else (a contact, a form): it is evidence of a repetition only together with the same content.
 */
export function platformIdOf(payload: Record<string, unknown>): string | null {
  let level = [payload]
  for (let depth = 0; depth <= deepest; depth++) {
    for (const object of level) {
      const named = Object.entries(object).filter(([key, value]) => deliveryIds.has(plain(key)) && isId(value))
      // A name that says what it is the id of, before a bare id.
      const [best] = named.sort(([one], [other]) => plain(other).length - plain(one).length)
      if (best) return `${plain(best[0])}:${best[1]}`
    }
    level = level.flatMap((object) => Object.values(object).filter(isObject)).slice(0, 50)
  }
  return null
}

/** Google's `is_test`, and what others call the same. */
export function isTest(payload: Record<string, unknown>): boolean {
  return Object.entries(payload).some(
    ([key, value]) =>
      ['istest', 'istestlead', 'testlead'].includes(plain(key)) && /^(true|1|yes)$/i.test(String(value)),
  )
}

const plain = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '')

const isId = (value: unknown) =>
  (typeof value === 'string' && value.length > 0 && value.length <= 200) || (typeof value === 'number' && value !== 0)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
