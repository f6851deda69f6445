import { wordsIn } from './call/call-words.ts'
import type { Leaf } from './structure/leaves.ts'
import { meaningOf } from './words/meaning.ts'

/** What can become of a message that the business sent, by how much the word says. */
const fates = {
  /** Only a message bounces. What is said of it is a program's. */
  bounced: /^((soft|hard|block)?bounced?|deferred|undelivered|spamreport)$/,
  /** A person may write when they leave a list, or complain about something else. */
  left: /^(unsub(scribed?)?|complain(t|ed)|spam|spamcomplaint)$/,
  looked: /^(open(ed|s|ing)?|click(ed|s)?)$/,
  /** Orders, payments and tickets come to this, too. */
  other: /^(delivered|delivery|dropped|failed|failure|sent|processed|rejected|blocked|suppressed|read)$/,
}
type Fate = keyof typeof fates

const eventKey =
  /^((record|notification|event|message|webhook)[ _-]?)?(event|type|kind|action|trigger)s?$|^notification$|^event[ _-]?names?$/i
/** What else such a word names: `email.opened`, `hard_bounce`, `message_api_failed`. */
const besideFate =
  /^(e?mails?|messages?|msg|sms|api|event|transactional|campaign|newsletter|list|group|subscriber|contact|recipient|profile|soft|hard|spam|unique|first|proxy|link|by|on|permanent|temporary)$/

function fateIn({ labels: [label = ''], value }: Leaf): Fate | undefined {
  if (value.length > 40 || !eventKey.test(label)) return undefined
  const [word, ...others] = wordsIn(value).filter((one) => !besideFate.test(one))
  if (word === undefined || others.length > 0) return undefined
  return (Object.keys(fates) as Fate[]).find((fate) => fates[fate].test(word))
}

/**
 * Whether a payload says what became of a message that the business sent: it has a word for that, and the id of the message or what
 * else only a message has, but neither the words of a person nor, without the id, who it is.
 */
export function isMessageEvent(leaves: readonly Leaf[]): boolean {
  const event = leaves.find((leaf) => fateIn(leaf) !== undefined)
  const fate = event && fateIn(event)
  if (!fate || (fate !== 'bounced' && leaves.some(isWritten))) return false
  if (leaves.some((leaf) => isMessageId(leaf) && areTogether(leaf, event))) return true
  const has = (name: RegExp) => leaves.some(({ labels: [label = ''] }) => name.test(label))
  // A message that bounces, or a list that somebody leaves, may name its recipient.
  const isByEmail = fate === 'bounced' || (fate === 'left' && has(/list|newsletter|campaign/i))
  if (leaves.some((leaf) => saysWho(leaf, isByEmail ? ['phone'] : ['name', 'first', 'last', 'phone']))) return false
  if (fate === 'bounced' || fate === 'left') return true
  return (
    (fate === 'looked' && has(/campaign|newsletter|mailing|broadcast/i)) || (has(/^subject$/i) && leaves.some(isSender))
  )
}

/** Whether it is the email that a message came from. */
const isSender = ({ labels: [label = ''], value }: Leaf) => value.includes('@') && meaningOf(label).from

const isMessageId = ({ labels: [label = ''], around: [outer = ''] }: Leaf) =>
  /(message|msg|smtp|sms)[ _-]?(s?id|uuid)$/i.test(label) ||
  (/^id$/i.test(label) && /^(message|mail|email)$/i.test(outer))

/** Whether one of them is in an object that is, or is around, that of the other. */
function areTogether(one: Leaf, other: Leaf): boolean {
  const [shorter, longer] = [one.path.slice(0, -1), other.path.slice(0, -1)].sort((a, b) => a.length - b.length)
  return shorter!.every((step, at) => step === longer![at])
}

/** What a program says of a message is in an object of its own. */
const isWritten = ({ labels: [label = ''], around: [outer = ''], value }: Leaf) =>
  /\p{L}/u.test(value) &&
  !/status|error|failure|bounce|diagnostic|headers/i.test(outer) &&
  (/text|body|^(content|caption|conversation)$/i.test(label) || (meaningOf(label).senses.notes ?? 0) >= 85)

/** Whether it is a name or the phone of a person, and not of who sent the message. */
function saysWho({ labels: [label = ''], value }: Leaf, by: readonly ('name' | 'first' | 'last' | 'phone')[]): boolean {
  const { senses, staff, thing, from } = meaningOf(label)
  const strength = Math.max(...by.map((sense) => senses[sense] ?? 0))
  return value.trim() !== '' && strength >= 80 && !staff && !thing && !from && !eventKey.test(label)
}
