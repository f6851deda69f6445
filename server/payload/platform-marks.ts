import { createHash } from 'node:crypto'

/** Marks that platforms put on a delivery: its ids, that it is a test, that the business itself wrote the message. */

/** Names of ids of a lead, an enquiry or a form entry: one of these identifies a repetition by itself. */
const leadIds = words(
  'leadid leadgenid uniquequeryid queryid enquiryid inquiryid rfiid submissionid responseid entryid',
)

/** Names that may also be those of a contact or a form. If all of them are the same, so is the delivery. */
const anyIds = words('id uuid eventid messageid msgid wamid callid callsid calluuid deliveryid token')

const maxObjects = 300

/**
 * Returns the ids that a platform gave a delivery, as one text; null if there is none. They prove a repetition only
 * together with the same content.
 */
export function findPlatformId(payload: Record<string, unknown>): string | null {
  const found: [string, unknown][] = []
  const queue: unknown[] = [payload]
  for (let place = 0; place < queue.length && place < maxObjects; place++) {
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

/** Keys that differ between a delivery and its repetition: time, number of attempts, signature. */
const ofSending =
  /^(timestamp|ts|time|sent_?(at|on)|sending_?time|(delivery_?)?attempts?|attempt_?(number|count)|retr(y|ies)|retry_?(number|count)|is_?retry|delivery_?id|request_?id|trace_?id|signature|nonce)$/i

/** Returns the same hash for deliveries with the same content; another enquiry with the same id has another. */
export function hashContent(payload: Record<string, unknown>): string {
  const content = JSON.stringify(payload, (key, value) => (ofSending.test(key) ? undefined : value))
  return createHash('sha256').update(content).digest('hex')
}

/** Whether the payload has Google's `is_test`, or the same mark of another platform. */
export function isTest(payload: Record<string, unknown>): boolean {
  return Object.entries(payload).some(
    ([key, value]) =>
      ['istest', 'istestlead', 'testlead'].includes(plain(key)) && /^(true|1|yes)$/i.test(String(value)),
  )
}

/**
 * Whether the business itself sent the message, which chat systems report like those of its customers, or the message is a receipt of
 * one. The outermost mark decides: an answer contains the message that it answers. Marks that a form may have, too, count beside the
 * ids of a chat only.
 */
export function isOwnMessage(payload: Record<string, unknown>): boolean {
  const outside = Object.keys(payload)
  const queue: object[] = [payload]
  for (let place = 0; place < queue.length && place < maxObjects; place++) {
    const entries = Object.entries(queue[place]!)
    const beside = [...entries.map(([key]) => key), ...outside].map(plain)
    for (const [key, value] of entries) {
      if (typeof value === 'object' && value !== null) queue.push(value)
      else if (kindKey.test(key) && ownKind.test(String(value))) return true
      const isMark = fromMe.has(plain(key))
        ? beside.some((name) => chatIds.has(name) || messageTexts.has(name))
        : ownMarks.has(plain(key)) && beside.some((name) => chatIds.has(name))
      if (isMark && /^(true|false|0|1)$/i.test(String(value))) return /^(true|1)$/i.test(String(value))
    }
  }
  return false
}

const kindKey = /^(event|event[_-]?(type|name)|kind|type|type[_-]?webhook|webhook[_-]?type)$/i
/** Of Green API, WATI, Interakt and Gupshup. */
const ownKind =
  /^(outgoing\w*message\w*|(session|template)MessageSent(_v\d)?|sentMessage[A-Z]\w*|message_api_(sent|delivered|read|failed)|message-event)$/i

const ownMarks = new Set(['owner', 'isoutgoing', 'outgoing'])
/** Only chat systems use these keys. */
const fromMe = new Set(['fromme', 'isfromme'])
const messageTexts = new Set(['body', 'text', 'message', 'messages', 'content', 'caption', 'messagedata', 'key'])

const chatIds = words(
  'messageid msgid whatsappmessageid wamid waid chatid conversationid threadid remotejid jid chatname messagetype',
)

function words(list: string): Set<string> {
  return new Set(list.split(' '))
}

const plain = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '')

const isId = (value: unknown) =>
  (typeof value === 'string' && value.length > 0 && value.length <= 200) || (typeof value === 'number' && value !== 0)
