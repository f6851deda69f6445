import { mailboxIn } from '../../contacts/written-contact.ts'
import { type Evidence, inGroup } from './evidence.ts'
import { meaningOf } from './label.ts'
import { type Candidate, type Choice, choose, type Scoring } from './scoring.ts'
import { completeness, isListed, ofOthers } from './surroundings.ts'
import { isUnread, lastDigits } from './values.ts'

export function chooseEmail(free: Evidence[], scoring: Scoring, all: Evidence[]): Choice | undefined {
  const candidates = free.flatMap((evidence) => describe(evidence, all) ?? [])
  const hosts = candidates.length > 1 ? hostsOfPages(all) : new Set<string>()
  const isSites = ({ value }: Candidate<'email'>) => hosts.has(value.slice(value.indexOf('@') + 1).toLowerCase())
  return choose(
    'email',
    candidates.map((one) => (isSites(one) ? { ...one, features: { ...one.features, ofSite: 1 } } : one)),
    scoring,
  )
}

/** Returns the hosts of the pages that a form stands on: emails at them are the business's. */
function hostsOfPages(all: Evidence[]): Set<string> {
  const hosts = all.flatMap(({ labels: [label = ''], value }) => {
    const host = /^https?:\/\/(?:www\.)?([\w.-]+)/i.exec(value)?.[1]
    return host && /^(page|form|landing|submission|source|current|site)|referr?er/i.test(label)
      ? host.toLowerCase()
      : []
  })
  return new Set(hosts)
}

function describe(evidence: Evidence, all: Evidence[]): Candidate<'email'> | undefined {
  const { senses, staff, to, thing, attribute, opaque, question, from, person, around } = evidence
  const email = staff || to || isStaffs(evidence, all) ? undefined : mailboxIn(evidence.value)?.email
  if (email === undefined || isForBills(evidence, all) || isSystems(email, all)) return undefined
  // An extension of a telephone system.
  if (!senses.email && /^\d{2,4}@/.test(email)) return undefined
  const isAddress = /^(address|lead|customer|client|contact|buyer|guest|visitor|subscriber)$/i.test(
    evidence.labels[0] ?? '',
  )
  const named = senses.email ?? (isAddress ? 90 : Math.min(senses.reach ?? senses.phone ?? 0, 60))
  return {
    evidence,
    value: email,
    features: {
      ...(named > 0
        ? { named: named / 100 }
        : { [opaque || question || from ? 'unnamedKey' : 'unnamed']: 1, attribute: Number(attribute) }),
      person: Number(person),
      furtherWords: Number(named > 0 && !person && meaningOf(evidence.labels[0] ?? '').words.length > 1),
      listed: Number(isListed(evidence, all)),
      thing: Number(thing),
      shared: Number(shared.test(email)),
      complete: completeness(evidence, all),
      ...ofOthers(evidence, all),
      depth: around.length,
    },
  }
}

/** A mailbox of a business, which its customers may have too. */
const shared =
  /^(info|contact|contacto|kontakt|hello|hi|sales|support|help|office|team|enquir(y|ies)|service|admin|billing|accounts?|leads?|bookings?|reservations?|wordpress|website|web|forms?|webmaster|mailer|admissions?|reception|marketing|careers|jobs)@/i

/** Whether it is where bills go, beside the email of the same person. */
const isForBills = ({ labels, group, around }: Evidence, all: Evidence[]) =>
  /^(billing|invoice|accounts?)[ _-]?e?mail/i.test(labels[0] ?? '') &&
  inGroup(all, group).some(
    (one) => one.around[0] === around[0] && /^e?mail$/i.test(one.labels[0] ?? '') && mailboxIn(one.value),
  )

/** Whether an email in a list stands elsewhere as that of one of the business's people, or is the login of an agent. */
function isStaffs({ value, path, labels, group }: Evidence, all: Evidence[]): boolean {
  if (/^(user[ _-]?name|login)$/i.test(labels[0] ?? ''))
    return inGroup(all, group).some((one) => /^agent[ _-]?id$/i.test(one.labels[0] ?? ''))
  return (
    typeof path.at(-1) === 'number' &&
    !ofCustomers.test(labels[0] ?? '') &&
    all.some((one) => one.staff && one.value === value)
  )
}

const ofCustomers = /^(customer|client|lead|visitor)/i

/** Returns the only email of a payload: without a better contact, it is the lead's, whatever its name. */
export function onlyEmail(free: Evidence[], { weights }: Scoring, all: Evidence[]): Choice | undefined {
  // Somebody else than the assignee created the ticket.
  const isTicket =
    all.some(({ labels }) => /^ticket[_ -]?(id|no|number)$/i.test(labels[0] ?? '')) &&
    all.some(({ around }) => /^assign/i.test(around[0] ?? ''))
  const found = free.flatMap((evidence) => {
    const { place, company } = ofOthers(evidence, all)
    const isReached = evidence.around.some(
      (name) => reached.test(name) || (isTicket && /^(created|opened)[_ -]?by$/i.test(name)),
    )
    const isOthers =
      isStaffs(evidence, all) ||
      ((evidence.staff || evidence.to) && !isReached && !isRegistrants(evidence, all)) ||
      evidence.thing ||
      place ||
      company
    const value = isOthers ? undefined : mailboxIn(evidence.value)?.email
    return value === undefined || isSystems(value, all) ? [] : [{ evidence, value, features: { only: 1 } }]
  })
  const isOnly = new Set(found.map(({ value }) => value.toLowerCase())).size === 1
  return isOnly ? choose('email', found.slice(0, 1), { weights }) : undefined
}

const reached = /^to[_ -]?(user|customer|client|guest)$/i

/** Whether it is the administrator of a new account, whose first and last name are beside it. */
function isRegistrants({ labels, group }: Evidence, all: Evidence[]): boolean {
  const beside = inGroup(all, group)
  return (
    /^(admin|owner)[ _-]?email$/i.test(labels[0] ?? '') &&
    beside.some(({ senses }) => senses.first) &&
    beside.some(({ senses }) => senses.last)
  )
}

/** A mailbox that no person reads, or the address of a telephone line whose number is beside it. */
function isSystems(email: string, all: Evidence[]): boolean {
  const line = /^\+?(\d{7,15})@/.exec(email)?.[1]
  if (line && all.some(({ value }) => !value.includes('@') && lastDigits(value) === lastDigits(line))) return true
  if (isUnread(email)) return true
  const [local = ''] = email.split('@')
  // The id of a message or of an appointment.
  if (/(?=[\da-f]*[a-f][\da-f]*\d)[\da-f]{16}/i.test(local)) return true
  // A room or a calendar that is written like one.
  return /@(conference|muc|rooms?|(group|resource)\.calendar)\./i.test(email)
}
