import { createHash } from 'node:crypto'

/** What platforms say about a delivery rather than about the person: its ids, that it is only a test, whose words it has. */

/** Names that can only be a lead's, an enquiry's or a form entry's: one of these tells its repetitions by itself. */
const leadIds = new Set([
  ...['leadid', 'leadgenid', 'uniquequeryid', 'queryid', 'enquiryid', 'inquiryid', 'rfiid'],
  ...['submissionid', 'responseid', 'entryid'],
])

/** Names that may as well be those of a contact or a form. Where all of them are as before, so is the delivery. */
const anyIds = new Set([
  ...['id', 'uuid', 'eventid', 'messageid', 'msgid', 'wamid', 'callid', 'callsid', 'calluuid', 'deliveryid', 'token'],
])

const mostObjects = 300

/**
 * The ids that a platform gives a delivery, as one text; null where there is none. They are evidence of a repetition
 * only together with the same content.
 */
export function platformIdOf(payload: Record<string, unknown>): string | null {
  const found: [string, unknown][] = []
  const queue: unknown[] = [payload]
  for (let place = 0; place < queue.length && place < mostObjects; place++) {
    for (const [key, value] of Object.entries(queue[place] as object)) {
      if (typeof value === 'object' && value !== null) queue.push(value)
      else if (isId(value)) found.push([plain(key), value])
    }
  }
  const lead = found.find(([name]) => leadIds.has(name))
  if (lead) return `${lead[0]}:${lead[1]}`
  const ids = found.filter(([name]) => anyIds.has(name)).map(([name, value]) => `${name}:${value}`)
  if (ids.length <= 1) return ids[0] ?? null
  return `ids:${createHash('sha256').update(ids.join('\n')).digest('hex').slice(0, 32)}`
}

/** What may differ between a delivery and its repetition: when it was sent, how often, and how that was signed. */
const ofSending =
  /^(timestamp|ts|time|sent_?(at|on)|sending_?time|(delivery_?)?attempts?|attempt_?(number|count)|retr(y|ies)|retry_?(number|count)|is_?retry|delivery_?id|request_?id|trace_?id|signature|nonce)$/i

/** The same for deliveries with the same content; another enquiry under an old id has another. */
export function contentHashOf(payload: Record<string, unknown>): string {
  const content = JSON.stringify(payload, (key, value) => (ofSending.test(key) ? undefined : value))
  return createHash('sha256').update(content).digest('hex')
}

/** Google's `is_test`, and what others call the same. */
export function isTest(payload: Record<string, unknown>): boolean {
  return Object.entries(payload).some(
    ([key, value]) =>
      ['istest', 'istestlead', 'testlead'].includes(plain(key)) && /^(true|1|yes)$/i.test(String(value)),
  )
}

/**
 * A message that the business itself sent, which chat systems report like those of its customers: its words and its
 * sender are not the person's. Such a mark counts only beside the ids of a chat: a form may have a field `owner` too.
 */
export function isOwnMessage(payload: Record<string, unknown>): boolean {
  const levels = [payload, ...Object.values(payload)].filter((level) => typeof level === 'object' && level !== null)
  return levels.some((level) => {
    const marks = Object.entries(level as object).filter(([, value]) => value === true)
    const beside = [...Object.keys(level as object), ...Object.keys(payload)].map(plain)
    return marks.some(([key]) => {
      if (fromMe.has(plain(key))) return beside.some((name) => chatIds.has(name) || messageTexts.has(name))
      return ownMarks.has(plain(key)) && beside.some((name) => chatIds.has(name))
    })
  })
}

const ownMarks = new Set(['owner', 'isoutgoing', 'outgoing'])
/** Only chat systems say so. */
const fromMe = new Set(['fromme', 'isfromme'])
const messageTexts = new Set(['body', 'text', 'message', 'messages', 'content', 'caption'])

const chatIds = new Set([
  ...['messageid', 'msgid', 'whatsappmessageid', 'wamid', 'waid', 'chatid', 'conversationid', 'threadid', 'remotejid'],
  ...['jid', 'chatname', 'messagetype'],
])

const plain = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '')

const isId = (value: unknown) =>
  (typeof value === 'string' && value.length > 0 && value.length <= 200) || (typeof value === 'number' && value !== 0)
