import { type Contact, contactKey } from '../../server/crm/contacts/contact.ts'
import { contactKeys } from '../../server/crm/leads/contact-keys.ts'
import { type Actor, accountActor, asActor } from '../../server/platform/database/actor.ts'
import type { Database } from '../../server/platform/database/connect.ts'
import { isCanceled, isConflict } from '../../server/platform/database/errors.ts'
import type { Statement, TransactionSql } from '../../server/platform/database/sql.ts'
import { type Check, type Finding, fine, problem } from './check.ts'
import type { Installation } from './installation.ts'

/** In seconds, for all accounts, and for one statement. */
const maxSeconds = 60
const maxStatementSeconds = 30

/** So many suspects are read at once. */
const batch = 1000
const maxNamed = 5

const keysAgain = 'Run lead-engine doctor --repair: it makes their keys again.'

/** What can be wrong with a lead, and what to do. */
const faults = {
  withoutKey: { what: 'leads are not found by their phone or email', fix: keysAgain },
  wrongKey: { what: 'leads are found by another phone or email than theirs', fix: keysAgain },
  without: {
    what: 'leads have no phone, email or other contact',
    fix: 'Open /leads/ID in the web app for each of them, and add its phone or email or delete the lead.',
  },
  doubled: {
    what: 'leads have a contact that another lead has too',
    fix: 'Open /leads/ID in the web app for each of them, and merge it with the other lead.',
  },
}
type Fault = keyof typeof faults
type Outcome = Fault | 'fine' | 'repaired'
type Country = Parameters<typeof contactKeys>[1]

interface SuspectLead {
  id: string
  name: string
  phone: string | null
  email: string | null
  phone_key: string | null
  email_key: string | null
  country: Country
}

interface SuspectContact extends Contact {
  id: string
  lead_id: string
  country: Country
}

/** A lead is found again by the keys of its contacts: without them, the same person would become a second lead. */
export const contacts = ({ database, repair }: Installation): Check => ({
  name: 'contacts',
  seconds: maxSeconds + 2 * maxStatementSeconds,
  async run() {
    const opened = database.get()
    const end = performance.now() + maxSeconds * 1000
    const all: All = { withoutKey: 0, wrongKey: 0, without: 0, doubled: 0, repaired: 0, ids: [], isWhole: true }
    const each = async <T extends { id: string }>(
      actor: Actor,
      page: (tx: TransactionSql, after: string) => Statement<T[]>,
      judge: (one: T) => Promise<[Outcome, string]>,
    ) => {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after
        const some = performance.now() > end ? null : await inTime(opened, actor, (tx) => page(tx, from))
        if (!some) all.isWhole = false
        for (const one of some ?? []) note(all, await judge(one))
        after = some?.length === batch ? some.at(-1)!.id : undefined
      }
    }
    const accounts = await opened.directory<{ id: string }[]>`select id from accounts order by id`
    for (const { id } of accounts) {
      const actor = accountActor(id)
      const write = writer(opened, actor, repair === 'everything')
      await each(actor, suspectLeads(id), async (lead) => [await judgeLead(lead, write), lead.id])
      await each(actor, suspectContacts(id), async (contact) => [await judgeContact(contact, write), contact.lead_id])
      await each(actor, doubledLeads(id), async (lead) => ['doubled', lead.id])
    }
    return finding(all)
  },
})

interface All extends Record<Fault | 'repaired', number> {
  ids: string[]
  isWhole: boolean
}

function note(all: All, [outcome, id]: [Outcome, string]) {
  if (outcome === 'fine') return
  all[outcome]++
  if (outcome !== 'repaired' && all.ids.length < maxNamed && !all.ids.includes(id)) all.ids.push(id)
}

/** Leads without a contact, and those of which a contact has no key, or one whose last digits are not its own. */
const suspectLeads = (account_id: string) => (tx: TransactionSql, after: string) =>
  tx<SuspectLead[]>`
  select leads.id, leads.name, phone, email, phone_key, email_key, accounts.default_country as country
  from leads join accounts on accounts.id = leads.account_id
  where account_id = ${account_id} ${after ? tx`and leads.id > ${after}` : tx``} and (
    (phone is null) <> (phone_key is null) or right(translate(phone, ' -().+', ''), 7) <> right(phone_key, 7)
    or (email is null) <> (email_key is null) or lower(email) <> email_key
    or phone is null and email is null
      and not exists (select from lead_contacts where account_id = ${account_id} and lead_id = leads.id))
  order by leads.id limit ${batch}`

const suspectContacts = (account_id: string) => (tx: TransactionSql, after: string) =>
  tx<SuspectContact[]>`
  select key as id, lead_id, kind, value, accounts.default_country as country
  from lead_contacts join accounts on accounts.id = account_id
  where account_id = ${account_id} and key > ${after} and case kind
    when 'phone' then right(translate(value, ' -().+', ''), 7) <> right(key, 7)
    when 'email' then lower(value) <> key else value <> key end
  order by key limit ${batch}`

/** Leads of which a first contact is another contact of another lead: no key of one table keeps them apart. */
const doubledLeads = (account_id: string) => (tx: TransactionSql, after: string) =>
  tx<{ id: string }[]>`
  select id from (
    select leads.id, lead_id from lead_contacts join leads on leads.account_id = ${account_id} and phone_key = key
    where lead_contacts.account_id = ${account_id}
    union
    select leads.id, lead_id from lead_contacts join leads on leads.account_id = ${account_id} and email_key = key
    where lead_contacts.account_id = ${account_id}
  ) shared where id <> lead_id ${after ? tx`and id > ${after}` : tx``}
  order by id limit ${batch}`

async function judgeLead(lead: SuspectLead, write: Write): Promise<Outcome> {
  const { id, phone, email } = lead
  if (phone === null && email === null && lead.phone_key === null && lead.email_key === null) return 'without'
  const made = contactKeys(lead, lead.country)
  const phone_key = isOf(made.phone_key, lead.phone_key) ? lead.phone_key : made.phone_key
  const email_key = made.email_key
  if (phone_key === lead.phone_key && email_key === lead.email_key) return 'fine'
  const isMissing = (phone_key && !lead.phone_key) || (email_key && !lead.email_key)
  return write(
    isMissing ? 'withoutKey' : 'wrongKey',
    (tx, account_id) => tx`
    update leads set phone_key = ${phone_key}, email_key = ${email_key}
    where account_id = ${account_id} and id = ${id} and (phone, email) is not distinct from (${phone}, ${email})`,
  )
}

async function judgeContact({ id: key, kind, value, country }: SuspectContact, write: Write): Promise<Outcome> {
  const made = contactKey({ kind, value }, country)
  if (made === null || (kind === 'phone' && isOf(made, key)) || made === key) return 'fine'
  return write(
    'wrongKey',
    (tx, account_id) => tx`
    update lead_contacts set key = ${made} where account_id = ${account_id} and key = ${key} and value = ${value}`,
  )
}

/** Whether both are of one phone. The account may have had another country when the key was made. */
const isOf = (made: string | null, key: string | null) =>
  made === null || key === null ? made === key : made.slice(-7) === key.slice(-7)

type Write = (fault: Fault, update: (tx: TransactionSql, account_id: string) => Statement) => Promise<Outcome>

/** Repairs a fault, or returns it. */
const writer =
  (database: Database, actor: Actor, repair: boolean): Write =>
  async (fault, update) => {
    if (!repair) return fault
    try {
      const changed = await asActor(database, actor, (tx) => update(tx, actor.account_id))
      return changed.count > 0 ? 'repaired' : 'fine'
    } catch (error) {
      if (isConflict(error)) return 'doubled'
      throw error
    }
  }

/** Returns null if the account has too many leads to look in time. */
async function inTime<T extends readonly unknown[]>(
  database: Database,
  actor: Actor,
  read: (tx: TransactionSql) => Statement<T>,
): Promise<T | null> {
  try {
    return await asActor(database, actor, async (tx) => {
      await tx`select set_config('statement_timeout', ${`${maxStatementSeconds}s`}, true), set_config('plan_cache_mode', 'force_custom_plan', true)`
      return read(tx)
    })
  } catch (error) {
    if (isCanceled(error)) return null
    throw error
  }
}

function finding(all: All): Finding {
  const { repaired, ids, isWhole } = all
  const done = repaired > 0 ? `The keys of ${repaired} contacts were made again.` : ''
  const found = (Object.keys(faults) as Fault[]).filter((fault) => all[fault] > 0)
  if (found.length > 0) {
    const wrong = found.map((fault) => `${all[fault]} ${faults[fault].what}`).join('; ')
    return problem(
      `${done} ${wrong} (for example ${ids.join(', ')}).`.trim(),
      [...new Set(found.map((fault) => faults[fault].fix))].join(' '),
    )
  }
  if (done) return fine(done)
  return isWhole
    ? fine('Every lead has a contact, and is found by it.')
    : fine('No lead without a contact was found. Not all were looked at, for lack of time.')
}
