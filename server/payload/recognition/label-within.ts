import { type Meaning, meaningOf } from './label.ts'

/** Names that only hold the values of what is around them. */
export const hollow = /^(properties|attributes)$/i

/** Whether a value is at the top of a payload, apart from envelopes. */
export const isAtTop = (around: readonly string[]) =>
  around.every((name) => /^(data|payload|body|result|record)$/i.test(name))

/** Hosts are users and authors too, so for these words the surroundings decide. */
export const ambiguousRoleWords = new Set(['user', 'users', 'author', 'profile', 'member'])

export function says(meaning: Meaning, least: number): boolean {
  return Object.values(meaning.senses).some((strength) => strength >= least)
}

/** Reads a label with the names around it: `first` inside `name` is a first name, `name` inside `company` is a company. */
export function meaningWithin(around: readonly string[], label: string): Meaning {
  const parent = around.find((name) => !hollow.test(name))
  if (parent === undefined) return meaningOf(label)
  return /^(changes?|changed[ _-]?(fields|attributes)|diff|updates)$/i.test(around[1] ?? '')
    ? ofChange(parent, label)
    : within(parent, label)
}

/** The value before a change does not count, and that after it is the field's. */
function ofChange(field: string, label: string): Meaning {
  if (/^(from|old|before|previous)([ _-]?value)?$/i.test(label)) return meaningOf('old')
  return /^(to|new|after|current)([ _-]?value)?$/i.test(label) ? meaningOf(field) : within(field, label)
}

function within(parent: string, label: string): Meaning {
  const above = meaningOf(parent)
  const isOfMessage = above.words.some((word) => messages.test(word))
  if (isOfMessage && /^(body|text|content|preview|snippet|excerpt)([ _-]?text)?$/i.test(label))
    return meaningOf('message')
  if (/^employment$/i.test(parent) && /^name$/i.test(label)) return meaningOf('employer')
  // A source, a city or a company with an id and a title.
  if (/^(title|label)$/i.test(label) && titled.test(parent)) return above
  if (/^(address|email)$/i.test(label) && /^reply[ _-]?to$/i.test(parent)) return meaningOf('reply to email')
  if (/^address$/i.test(label) && (above.senses.email ?? 0) >= 90) return meaningOf('email address')
  const alone = meaningOf(label)
  if (/^locality$/i.test(alone.words.join(' ')) && /address|location/i.test(parent))
    return meaningOf(`address ${label}`)
  const isPhones =
    (/^number$/i.test(label) && /^(mobile|cell|phone|customer|caller|client|contact|lead)$/i.test(parent)) ||
    (/^address$/i.test(label) && /^(phone|mobile)[ _-]?numbers?$/i.test(parent))
  const isSilent = isPhones || !says(alone, 40) || (/^(body|text|content)$/i.test(label) && says(above, 90))
  if ((!alone.bare && !(isSilent && alone.unknown === 0)) || alone.words.includes('utm')) return alone
  // Billing details may name their person.
  if (/^((billing|shipping|delivery|customer)[ _-]?)?address$/i.test(parent) && alone.senses.name)
    return meaningOf(`customer ${label}`)
  // The name of a user is not a user name.
  if (/^name$/i.test(label) && above.words.every((word) => ambiguousRoleWords.has(word))) return alone
  const isAttribute = above.attribute && !/param|query|preferences|keys$/i.test(parent)
  if (above.staff || above.thing || !(says(above, 60) || isAttribute)) return alone
  if (!isSilent && above.senses.notes && Object.keys(above.senses).length === 1) return alone
  return meaningOf(`${parent.replace(/[_ ]?ids?$/i, '')} ${label}`)
}

const messages = /^(text|sms|message|msg|ticket|conversation|thread|email|review|feedback)s?$/
const titled = /^(lead[ _-]?)?(source|city|company|organi[sz]ation)$/i
