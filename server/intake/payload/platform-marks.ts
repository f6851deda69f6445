import { createHash } from 'node:crypto'
import { Opener } from './structure/open-value.ts'

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
 * one. The outermost marks decide: an answer contains the message that it answers. If they differ, a customer's message is among them.
 */
export function isOwnMessage(payload: Record<string, unknown>): boolean {
  const opener = new Opener()
  const outermost = { value: opener.open(payload) as object, isChat: false, isForm: false, isListed: false }
  let level: Part[] = [outermost]
  for (let looked = 0; level.length > 0 && looked < maxObjects; looked += level.length) {
    level = level.slice(0, maxObjects - looked).map(withKind)
    const marks = level.flatMap(businessMarks)
    if (marks.length > 0) return marks.every(Boolean)
    level = level.flatMap((part) => partsOf(part, opener))
  }
  return false
}

/** An object in a payload, and whether it or what it is in has the ids of a chat or the names of a form, or is a list. */
type Part = { value: object; isChat: boolean; isForm: boolean; isListed: boolean }

function withKind({ value, isChat, isForm, isListed }: Part): Part {
  const names = Object.entries(value).flatMap(([key, inner]) => (inner === null || inner === '' ? [] : [plain(key)]))
  const has = (wanted: Set<string>) => names.some((name) => wanted.has(name))
  return {
    value,
    isChat: isChat || has(chatIds),
    isForm: isForm || has(formNames),
    isListed: isListed || Array.isArray(value),
  }
}

function partsOf({ value, ...kind }: Part, opener: Opener): Part[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const opened = isQuoted(key) ? null : opener.open(inner)
    return typeof opened === 'object' && opened !== null ? [{ value: opened, ...kind }] : []
  })
}

/** Returns what the marks of an object say: true for a message of the business. */
function businessMarks(part: Part): boolean[] {
  return Object.entries(part.value).flatMap(([key, value]) => {
    const text = typeof value === 'object' ? '' : String(value)
    if (kindKey.test(key) && ownKind.test(text)) return true
    if (isOfMessage(part)) {
      const isOwn = sideOf(key, text)
      if (isOwn !== undefined) return isOwn
    }
    if (!/^(true|false|0|1)$/i.test(text) || !isMark(key, part) || isQuoted(key)) return []
    return /^(true|1)$/i.test(text)
  })
}

/** One message, and no call or form. Of a whole chat, only marks that no other message has say that all is of the business. */
function isOfMessage({ value, isForm, isListed }: Part): boolean {
  if (isForm || isListed) return false
  const names = Object.keys(value).map(plain)
  return names.some((name) => messageTexts.has(name)) && !names.some((name) => callNames.test(name))
}

/** Whether the direction or the writer of a message is the business; undefined if neither is named. */
function sideOf(key: string, text: string): boolean | undefined {
  if (/^(message)?(direction|flow)$/.test(plain(key))) {
    if (/^out(bound|going)?\b/i.test(text)) return true
    return /^in(bound|coming)?$/i.test(text) ? false : undefined
  }
  if (!/^(sender|author|from|actor|sentby)(type|role|kind)?$/.test(plain(key))) return undefined
  if (/^((chat)?bot|(human[ _-]?)?agent|operator|admin|business|system|staff|teammate|assistant)$/i.test(text))
    return true
  return /^(user|visitor|customer|contact|client|lead|guest|end[ _-]?user)$/i.test(text) ? false : undefined
}

/** `owner` and the like may be questions of a form, so they count beside the ids of a chat only. */
function isMark(key: string, { isChat, isForm }: Part): boolean {
  return isChat ? fromMe.test(key) || ownMarks.has(plain(key)) : !isForm && fromMe.test(key)
}

/** Whether it leads to another message, which this one answers or follows. */
const isQuoted = (key: string) => separated(key).some((name) => quoted.test(plain(name)))
const quoted = /^(quoted|contextinfo$|(in)?repl(y|ied)(to|m)|(last|previous|parent|original)m(essage|sg))/
/** The names in a nested key that some senders write as one: `data.quoted.fromMe`. */
const separated = (key: string) => key.split(/[./]|__/)

const kindKey = /^(event|event[_-]?(type|name)|kind|type|type[_-]?webhook|webhook[_-]?type)$/i
/** Green API's kinds of such messages. */
const ownKind = /^outgoing\w*message\w*$/i

const ownMarks = new Set(['owner', 'isoutgoing', 'outgoing'])
/** Only chat systems use these keys. A question of a form is written with spaces. */
const fromMe = /(^|[./]|__)((is|key)[_-]?)?from[_-]?me$|(^|[./]|__)is[_-]?echo$/i

const messageTexts = words('text body message content caption template templatename media')
const callNames = /^call|duration|recording|billsec|voicemail/

const chatIds = words(
  'messageid msgid whatsappmessageid wamid waid chatid conversationid threadid remotejid jid chatname messagetype',
)
/** No message of WhatsApp has an email beside it. */
const formNames = words(
  'form forms formid formname formtitle formdata formresponse submission submissionid entryid responseid answers questions email',
)

function words(list: string): Set<string> {
  return new Set(list.split(' '))
}

const plain = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '')

const isId = (value: unknown) =>
  (typeof value === 'string' && value.length > 0 && value.length <= 200) || (typeof value === 'number' && value !== 0)
