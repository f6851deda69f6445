import { type Evidence, inGroup, isEventsType, isUnnamed } from './evidence.ts'
import { meaningOf } from './label.ts'
import { isAtTop } from './label-within.ts'
import { type Group, several } from './leaves.ts'
import { type Choice, choose, type Features, type Scoring } from './scoring.ts'
import { besideContact, isWithin } from './surroundings.ts'
import { isId, isPostalAddress, isWriting, nameShape, wordCount } from './values.ts'

export function chooseNotes(
  free: Evidence[],
  contacts: Evidence[],
  scoring: Scoring,
  all: Evidence[],
): Choice | undefined {
  const roles = free.filter(({ labels }) => /^role$/i.test(labels[0] ?? ''))
  const turns = new Set((roles.length > 1 ? roles.filter(isUsersRole) : []).map(({ group }) => group))
  const candidates = free.flatMap((evidence) => {
    const reply = chosenReply(evidence, free)
    if (reply) return [{ evidence, value: evidence.value, features: reply }]
    if (!isWriting(evidence.value) || turns.has(evidence.group)) return []
    const features =
      namedFeatures(evidence, contacts) ??
      openAnswer(evidence) ??
      (isSentence(evidence) || isWritten(evidence, contacts) ? { sentence: 1 } : undefined)
    // Last, because they read the other values.
    if (
      !features ||
      !isThePersons(evidence, all, contacts) ||
      isAnswer(evidence, contacts, all) ||
      isNotification(evidence, contacts, all)
    )
      return []
    return [{ evidence, value: evidence.value, features }]
  })
  const plain = candidates.filter(({ value }) => !isHtml.test(value))
  return choose('notes', plain.length > 0 ? plain : candidates, scoring)
}

const isHtml = /^\s*<(\w+|!doctype)\b[^>]*>/i

/** Beside it is what one side said in a dialogue. */
const isUsersRole = ({ labels, value }: Evidence) => /^role$/i.test(labels[0] ?? '') && /^user$/i.test(value)

/** The title of the button or list entry that a person chose in a chat. */
function chosenReply({ labels, around, value, group }: Evidence, all: Evidence[]): Features<'notes'> | undefined {
  if (!/^title$/i.test(labels[0] ?? '')) return undefined
  const above = group.parent ? inGroup(all, group.parent) : []
  const kinds = [around[0] ?? '', ...above.flatMap((one) => (/^type$/i.test(one.labels[0] ?? '') ? one.value : []))]
  const isReply = kinds.some((kind) => /^(list|button)[_ -]?reply$/i.test(kind))
  return isReply && nameShape(value) > 0 ? { named: 0.9 } : undefined
}

/** Texts of a form's consent, and of a document to sign. */
const smallPrint =
  /^by (clicking|submitting|checking|providing|signing)\b|\bi (hereby )?(agree|consent) to\b|\b(agree|accept|read) (to )?(the|our|your) (privacy|terms)\b|\bplease (\w+ and )?sign\b/i

/** Notes that the business wrote. */
const ofOffice = / (from|by) (the )?(company|office|team|staff|admin|agent|agency|us)$/

/** A text that is filled in for each receiver. */
const template = /\{\{ ?[\w.]+ ?\}\}/

/** A dialogue of both sides. */
const dialogue = /^[•*-]?\s*(agent|bot|ai|assistant|user|human|caller|customer|system)\s*:/im

function isThePersons(evidence: Evidence, all: Evidence[], contacts: Evidence[]): boolean {
  const { staff, attribute, thing, question, around, type, value } = evidence
  const asked = question || /text|long|area|paragraph/i.test(type ?? '')
  if ((staff && !question && !isOfCall(evidence)) || attribute || (thing && !asked && !isRequests(evidence)))
    return false
  if (dialogue.test(value) || template.test(value) || smallPrint.test(value)) return false
  const { words } = meaningOf(evidence.labels[0] ?? '')
  if (words.at(-1) !== 'summary' && isAnnouncement(value)) return false
  if (/^(prompt|footer)$/.test(words.at(-1) ?? '') || ofOffice.test(words.join(' '))) return false
  if (
    around.some((name) =>
      /errors?$|^(status|invoice|bill|estimate|quotation|receipt|confirm(ation)?[ _-]?messages?)$/i.test(name),
    )
  )
    return false
  if (/transcript|history|log/i.test(around.join(' ')) && !besideContact(evidence, contacts)) return false
  if (isTurn(evidence, all) || (evidence.from && isId(value))) return false
  return !isAsked(evidence, all) && !isAboutThing(evidence, contacts, all) && !isOurs(evidence, contacts, all)
}

/** Whether somebody of the business noted it about a call. */
const isOfCall = ({ labels, around }: Evidence) =>
  isAtTop(around) && /^(receptionist|operator|telecaller)[ _-]?notes?$/i.test(labels[0] ?? '')

/** Whether it is what a user said, beside what a bot answered. */
const isTurn = ({ labels: [label = ''], group }: Evidence, all: Evidence[]) =>
  /^(user|human|caller|customer)[ _-]?(query|message|text|input|speech)$/i.test(label) &&
  inGroup(all, group).some(({ labels }) =>
    /^(bot|assistant|agent|ai)[ _-]?(response|reply|message)$/i.test(labels[0] ?? ''),
  )

/** Whether it is the text of a service that answers or carries: `message` beside `success` or `awb_number`. */
function isAnswer({ labels, around, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (!/^(message|msg|detail|description)$/i.test(labels[0] ?? '')) return false
  // Beside the record that was asked for.
  const isRecords = ({ group: own, around: names }: Evidence) =>
    own !== group && isWithin(own, group) && /^(data|results?|response)$/i.test(names.at(-1 - around.length) ?? '')
  if (contacts.length > 0 && contacts.every(isRecords)) return true
  return inGroup(all, group).some((one) =>
    /^(success|successful|ok|valid|error|errors?_?code|awb([ _-]?(number|no|code))?)$/i.test(one.labels[0] ?? ''),
  )
}

/** A field of a form that holds what its person wants done. */
const ownRequest = /^(your[ _-])?(project|job|work|event|case|matter|move)$/i

/** The answer to a question beside it. */
const ownAnswer = /^(response|answer)([ _-]?text)?$/i

/** What a job or a request says about itself is what its person wants. */
function isRequests({ labels, around }: Evidence): boolean {
  return (
    /details$|^special/i.test(labels[0] ?? '') ||
    ownRequest.test(labels[0] ?? '') ||
    /^(job|project|request|enquiry|inquiry|quote)$/i.test(around[0] ?? '')
  )
}

/** Whether it is a question of the form itself, which has an id, a type or an answer beside it. */
function isAsked({ labels: [label = ''], around: [parent = ''], group }: Evidence, all: Evidence[]): boolean {
  const isQuestion = /^question$/i.test(label) || /^question[|](text|title|label)$/i.test(`${parent}|${label}`)
  if (!isQuestion) return false
  return inGroup(all, group).some(
    (other) => /question.?(id|name)|type|^answers?$/i.test(other.labels[0] ?? '') && !isEventsType(other),
  )
}

const isTitle = ({ labels, value }: Evidence) =>
  /^(title|name|heading|(product|item|course|plan)[ _-]?(name|title))$/i.test(labels[0] ?? '') && wordCount(value) > 1

const paid =
  /^(currency|mch[ _-]?(no|id|order[ _-]?no)|merchant[ _-]?(name|id)|collector[ _-]?id|payer[ _-]?(email|id)|payment[ _-]?(id|method|mode)|biller[ _-]?id)$/i

const isNamed = ({ senses }: Evidence) => (senses.name ?? senses.first ?? 0) >= 60

const requested = /^(job|project|request|enquiry|inquiry|quote|lead|deal|ticket|case|matter|opportunity)$/i

/** What somebody asks for has a title and a description that both are theirs. */
const asksFor = /^(project|request|enquiry|inquiry|ticket|case|matter)$/i

/** Whether it is the text of a notification about a person, whom it names. */
function isNotification({ labels, value: text, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const isLeads = ({ person, senses, value }: Evidence) => (senses.name || senses.first) && (person || /\s/.test(value))
  if (text.length < 150 && all.some((one) => one.group !== group && isLeads(one) && text.endsWith(`: ${one.value}`)))
    return true
  const titles = inGroup(all, group).filter((one) => /^title$/i.test(one.labels[0] ?? ''))
  if (!/^body$/i.test(labels[0] ?? '') || titles.length === 0) return false
  if (titles.some(({ value }) => contacts.some((contact) => value.includes(contact.value)))) return true
  return all.some(({ senses, person, value }) => person && senses.name && text.includes(value))
}

const ended = /cancel|reject|lost|declin|refund/i

const isCancelled = ({ labels: [label = ''], value }: Evidence) =>
  ended.test(label) || (/^(event|status|type)/i.test(label) && ended.test(value))

/** Whether a job is one to apply for, and not one to do for a customer. */
const isOfHiring = (all: Evidence[]) =>
  all.some(({ labels: [label = ''], around }) =>
    [label, ...around].some((name) => /candidate|applica|interview/i.test(name)),
  )

/** Whether it describes a product, a task or an event in the words of the business. */
function isAboutThing(evidence: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  const { labels, around, group } = evidence
  if (/reason$/i.test(labels[0] ?? '') && all.some(isCancelled)) return true
  const [, of = '', what = ''] =
    /^(?:short|long|full|brief)?(.*?)[ _-]?(description|summary)$/i.exec(labels[0] ?? '') ?? []
  if (/^body$/i.test(labels[0] ?? '') && inGroup(all, group).some((one) => paid.test(one.labels[0] ?? ''))) return true
  if (what === '') return false
  const beside = inGroup(all, group).filter((other) => other.around.length === around.length)
  const isBeside = (name: RegExp) => beside.some((other) => name.test(other.labels[0] ?? ''))
  // The title at length.
  if (beside.some((other) => isTitle(other) && evidence.value.startsWith(other.value))) return true
  if (of !== '')
    return (
      /^[a-z]+$/i.test(of) &&
      !asksFor.test(of) &&
      !(/^job$/i.test(of) && !isOfHiring(all)) &&
      isBeside(new RegExp(`^${of}[ _-]?(title|name)$`, 'i'))
    )
  if (isBeside(paid) || all.some((other) => other.thing && isTitle(other) && other.value === evidence.value))
    return true
  // What was booked or ordered.
  if (isBeside(/^(qty|quantity|quantities)$/i) && isBeside(/price|total|amount|rate|cost/i)) return true
  if (/^summary$/i.test(what) && isBeside(/^(sub|tax|paid|grand)[ _-]?total$/i)) return true
  // A business describes itself.
  if (/^desc/i.test(what) && isBeside(/^(business|company)[ _-]?name$/i) && !beside.some(isNamed)) return true
  if (beside.some((other) => /^name$/i.test(other.labels[0] ?? '') && /^\w+\.\w+$/.test(other.value))) return true
  if (isBeside(/^event[ _-]?type$/i) && isBeside(/^title$/i)) return true
  if (around.some((name) => /^(payments?|locations?|venue)$/i.test(name))) return true
  if (besideContact(evidence, contacts)) return false
  if (isBeside(/^(event|resource)[ _-]?type$/i)) return true
  // The vacancy that somebody applies for.
  const isVacancy = /^(job|vacancy|position|role|opportunity)$/i.test(around[0] ?? '')
  if (isVacancy && all.some((one) => one.around.some((name) => /^(candidate|applicant|volunteer)$/i.test(name))))
    return true
  const holdsContact = contacts.some((contact) => isWithin(contact.group, group))
  return isBeside(/^(name|title)$/i) && !holdsContact && !(contacts.length > 0 && requested.test(around[0] ?? ''))
}

const sent = /^(body|text|message([ _-]?(content|body|text))?|content|html|plain)$/i

/** Whether the business wrote it: in an outgoing message, or in one whose recipient is the lead. */
function isOurs({ labels, around, group }: Evidence, contacts: Evidence[], all: Evidence[]): boolean {
  if (
    meaningOf(labels[0] ?? '')
      .words.slice(0, -1)
      .includes('sent')
  )
    return true
  // Only the business offers buttons.
  if (contacts.length === 0 && all.some((one) => one.around.some((name) => /^buttons$/i.test(name)))) return true
  if (!sent.test(labels[0] ?? '') || /repl(y|ied)|response|inbound|received/i.test(around.join(' '))) return false
  if (around.some((name) => /out(bound|going)/i.test(name))) return true
  for (let one: Group | undefined = group; one; one = one.parent) {
    const beside = inGroup(all, one)
    if (
      beside.some(
        (other) =>
          /^(direction|event([ _-]?type)?)$/i.test(other.labels[0] ?? '') &&
          /^out(bound|going)?([ _-]?message)?$|^(business|agent|operator)_to_/i.test(other.value),
      )
    )
      return true
    const isState = ({ labels: [label = ''], value }: Evidence) =>
      /^status$/i.test(label) && /^(sent|queued)$/i.test(value)
    if (beside.some(isState) && beside.some(({ labels: [label = ''] }) => /^sent[ _-]?at$/i.test(label))) return true
    const isLeads = (other: Evidence) => contacts.some((contact) => contact.value === other.value)
    const isReceived = ({ to, labels: [label = ''] }: Evidence) => to || /^recipient/i.test(label)
    const isSent = ({ from, labels: [label = ''] }: Evidence) => from || /^sender/i.test(label)
    if (
      beside.some((other) => isReceived(other) && isLeads(other)) &&
      beside.some((other) => isSent(other) && !isLeads(other))
    )
      return true
  }
  return false
}

/** Status texts of a system in a message field. */
const status =
  /^(ok|yes|no|others?|false|verified|authori[sz]ed|approved|declined|captured|created|received|done|true|accepted|(declined|failed|insufficient|rejected)\b.{0,40}|(incoming )?(lead|message|call|sms) (received|created|generated).*|.*success(ful|fully)?[.!]?)$/i

/** What a system says about a record. A person speaks of oneself, asks or complains. */
const announced = [
  /^(a |the |new |incoming |your )*(lead|booking|order|payment|appointment|message|call|ticket|enquiry|inquiry|registration|contact|form|request|subscription|donation|submission|reservation|invoice|transaction|status|webhook|customer|shipment|delivery)s?\b.*\b(was|were|has been|have been|is|received|created|delivered|pushed|changed|updated|confirmed|automatically)\b/i,
  /\b(has|have) been (confirmed|cancell?ed|created|received|shipped|updated|sent|approved|processed|submitted|booked|completed)\b/i,
  /^succe(ss|eded)|\bsuccessfully\b|\b(was|were) (created|approved|declined|cancell?ed|submitted|processed|captured|refunded)\b/i,
  /^thank you for (your|the)\b/i,
  /^(transacci[oó]n|transa[cç][aã]o|operaci[oó]n|pago|pagamento|compra|pedido|orden) \w+(ad|id|os)[oa]$/i,
  /^.{0,60}\b(exitos(o|a|amente)|con éxito|com sucesso|avec succès|réussie?|erfolgreich)\b.{0,20}$|^.{0,40}успешно.{0,20}$/i,
]
const ofPerson =
  /\b(i|i'm|i’m|i'd|i’d|my|me|we|our|us|please|pls|could|can|need|want|looking|hi|hello|when|why|how|but|not|never|still|yet|late|wrong|broken|too|very)\b|\?/i

const isAnnouncement = (text: string) =>
  text.length < 200 && !ofPerson.test(text) && announced.some((pattern) => pattern.test(text))

/** What is paid or booked, in a description. */
const ofPayment =
  /^(((\w+ )?(payment|subscription|invoice|charge|refund|renewal|purchase|deposit|membership|donation)s?|order|appointment|booking|reservation) (of|for|to|with|by|from|no|#)|#?\w*order #)/i

/** Whether somebody asks it, and not the form. */
const isQuestion = ({ labels, value }: Evidence) =>
  /^(your[ _-]?)?(question|query)$/i.test(labels[0] ?? '') && /\?$/.test(value) && wordCount(value) >= 4

function namedFeatures(evidence: Evidence, contacts: Evidence[]): Features<'notes'> | undefined {
  const { senses, value, labels, around, type } = evidence
  const strength = isQuestion(evidence) ? 85 : (senses.notes ?? 0)
  if (strength === 0 || (value.length < 200 && status.test(value))) return undefined
  if (/(description|summary|details?|title|purpose)$/i.test(labels[0] ?? '') && ofPayment.test(value)) return undefined
  const { name, source, company, city } = senses
  if ([name, source, company, city].some((other) => (other ?? 0) >= strength)) return undefined
  if (strength < 60 && (type === several || (evidence.question && asksToChoose(labels)) || !/\p{L}{3}/u.test(value)))
    return undefined
  const words = wordCount(value)
  // A code, such as `scholarship_optional`.
  if (meaningOf(labels[0] ?? '').unknown > 0 && /^[\w-]+$/.test(value)) return undefined
  if (words < leastWords(strength, labels[0] ?? '')) return undefined
  return {
    // What was chosen says less than what was written.
    named: (type === several ? strength - 4 : strength) / 100,
    besideContact: besideContact(evidence, contacts),
    inNotes: Number(
      (meaningOf(labels[0] ?? '').senses.notes ?? 0) >= 80 && Boolean(meaningOf(around[0] ?? '').senses.notes),
    ),
    words: Number(words >= 3),
    person: Number(meaningOf(labels[0] ?? '').person),
  }
}

/** A field that is certainly for a message may hold a code or an amount. */
function leastWords(strength: number, label: string): number {
  if (strength < 60) return /reason/i.test(label) ? 2 : 3
  if (/description$/i.test(label)) return 3
  return strength < 85 ? 1 : 0
}

const closedQuestion =
  /^(when|which|how (many|much|old|soon|long|do you|are you|is)|do you|are you|is |have you|where|who|did|will|would you|can you|select|choose|(now|and|so|then|also),? (which|what types?|what kinds?)|what (types?|kinds?))\b|\b(know|tell us) which\b|\bseçin\b/i

const questionOf = (labels: readonly string[]) => labels.find((one) => /[?？]/.test(one)) ?? labels[0] ?? ''

function asksToChoose(labels: readonly string[]): boolean {
  const question = questionOf(labels).replaceAll('_', ' ').trim()
  // Of several sentences, the last one asks.
  const last = question.split(/[.!…:]\s+(?=\S)/).at(-1)!
  return (
    closedQuestion.test(last) &&
    !/\bany (other |further )?(questions?|comments?|requests?|notes?|message)\b/i.test(last)
  )
}

const consent = /^(yes,? )?(i|we)( hereby)? (agree|accept|consent|confirm|understand|authori[sz]e)\b/i

function openAnswer({ question, type, senses, labels, value }: Evidence): Features<'notes'> | undefined {
  const asksWhy = meaningOf(labels[0] ?? '').words[0] === 'why'
  if (!(question || asksWhy) || /choice|select|radio|dropdown|check/i.test(type ?? '')) return undefined
  if (Object.values(senses).some((strength) => strength >= 50)) return undefined
  if (asksToChoose(labels) || consent.test(value)) return undefined
  return wordCount(value) >= (/[?？]/.test(questionOf(labels)) ? 3 : 5) ? { openAnswer: 1 } : undefined
}

/** Texts about a person, a place or a device, and what a program says or recommends. */
const notWritten = /street|road|bio(graphy)?$|headline|\b(ua|agent)\b|speak|speech|recommend|advi[cs]e/i

/** Whether it is a sentence under a name without a known meaning, beside the record with the contact or around it. */
function isWritten(evidence: Evidence, contacts: Evidence[]): boolean {
  const { senses, labels, value, group, question, type } = evidence
  if (value.length < 12 || question || type === several) return false
  if (Object.values(senses).some((strength) => strength >= 40)) return false
  const { words, unknown } = meaningOf(labels[0] ?? '')
  const isOwn = ownRequest.test(labels[0] ?? '') && besideContact(evidence, contacts)
  if (unknown === 0 && !isOwn && !ownAnswer.test(labels[0] ?? '')) return false
  if (wordCount(value) < 6 || notWritten.test(words.join(' '))) return false
  const isOther = Object.values(meaningOf(group.name ?? '').senses).some((strength) => strength >= 60)
  const outer = (!isOther && group.parent) || group
  return contacts.some((contact) => isWithin(contact.group, outer))
}

function isSentence(evidence: Evidence): boolean {
  if (!isUnnamed(evidence) || evidence.thing || isPostalAddress(evidence.value)) return false
  const least = /text|area|multi|input/i.test(evidence.labels.join(' ')) ? 3 : 4
  const text = evidence.value.replace(/<[^<>]*>/g, ' ').trim()
  return wordCount(text) >= least && (nameShape(text) < 2 || text.length > 40)
}
