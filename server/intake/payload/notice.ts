import { isMessageEvent } from './message-event.ts'
import type { Leaf } from './structure/leaves.ts'

const notice =
  /^((whatsapp|wa|waba|connection|instance|device|channel|line)[ ._:-]?(open(ed)?|closed?|(dis)?connected|update|status([ ._-]?(updated?|changed?))?|ready|qr|banned|log(ged)?[ _-]?out)|session[ ._:-]?((dis)?connected|status|ready|qr|log(ged)?[ _-]?out)|(dis)?connected[ _-]?callback|((whatsapp|wa)[ ._:-]?)?(message|msg|sms)s?[ ._:-]?(ack|receipt|status|delivered|undelivered|read)([ ._-]?(updated?|callback|changed))?|dlr|delivery[ ._-]?(reports?|receipts?|events))$/i

/** Whether a line of the business connected, or this is what became of a message that it sent: it is from no customer. */
export function isNotice(leaves: readonly Leaf[]): boolean {
  const has = (name: RegExp, value?: RegExp) =>
    leaves.some((leaf) => name.test(leaf.labels[0] ?? '') && (value?.test(leaf.value) ?? leaf.value !== ''))
  if (isMessageEvent(leaves)) return true
  if (has(/text|body|^(message|content|caption|conversation)$/i, /\p{L}/u)) return false
  if (has(/^(event([ _-]?(type|name))?|type|topic|trigger|action)$/i, notice)) return true
  const arrived = /^(delivered|undelivered|undeliverable|delivrd|read|seen|delivery[ _-]ack)$/i
  // A parcel has a sender and a status too, but no `desc` of it.
  if (has(/^sender[ _-]?id$/i) && has(/^desc$/i, arrived)) return true
  if (!has(/^((message|msg|sms)[ _-]?(s?id|uuid)s?|msisdn)$/i)) return false
  return has(/^((message|sms)[ _-]?)?(status|state)$|^(event|type)$/i, arrived)
}
