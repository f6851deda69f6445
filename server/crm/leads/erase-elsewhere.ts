import type { CountryCode } from 'libphonenumber-js/max'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { contactKey } from '../contacts/contact.ts'

const removed = '[removed]'
/** Shorter numbers are part of many others. */
const minDigits = 7

export interface Person {
  /** Their leads, also those that were merged into them. */
  ids: string[]
  /** Keys of contacts that no other lead has. */
  contacts: string[]
  names: string[]
  country: CountryCode
}

/** A lead whose timeline contains the person. */
interface LinkedLead {
  id: string
  name: string
  notes: string | null
}

type Without = <Value>(value: Value) => Value

/**
 * Removes a person from what other leads, saved views and imports contain: contacts in every text, and names on timelines and in views. A
 * name that the other lead has too is that lead's.
 */
export async function eraseElsewhere(tx: TransactionSql, accountId: string, person: Person): Promise<void> {
  const { contacts, names } = person
  const without = withoutContacts(person)
  for (const lead of await lockLinkedLeads(tx, accountId, await linkedLeads(tx, accountId, person))) {
    const others = names.filter((name) => name.toLowerCase() !== lead.name.toLowerCase())
    await eraseInLead(tx, accountId, lead, { without, names: others })
  }
  const pattern = patternOf({ contacts, names: await namesOfNoOther(tx, accountId, person) }, inDatabase)
  if (pattern === '') return
  await tx`select forget_in_views(${accountId}, ${pattern})`
  await tx`update lead_imports set rejections = (
      select jsonb_agg(row || jsonb_build_object('reason', regexp_replace(row->>'reason', ${pattern}, ${removed}, 'gi')))
      from jsonb_array_elements(rejections) as row
    ) where account_id = ${accountId} and rejections::text ~* ${pattern}`
  await tx`update lead_imports set file = regexp_replace(file, ${pattern}, ${removed}, 'gi')
    where account_id = ${accountId} and file ~* ${pattern}`
  // All of such a row is about the person.
  await tx`delete from lead_import_rejections where account_id = ${accountId} and content ~* ${pattern}`
  const ofContacts = patternOf({ contacts, names: [] }, inDatabase)
  if (ofContacts === '') return
  await tx`delete from phone_calls where account_id = ${accountId} and lead_id is null and phone = any (${contacts})`
  // Undoing that merge would bring the contact back.
  await tx`update merged_leads set undo = null
    where account_id = ${accountId} and undo is not null and undo::text ~* ${ofContacts}`
}

/** Returns the ids of the leads whose timeline contains the person, or what was merged with them. */
export async function linkedLeads(
  tx: TransactionSql,
  accountId: string,
  { ids, contacts }: Pick<Person, 'ids' | 'contacts'>,
): Promise<string[]> {
  const terms = contacts.map((contact) => (contact.includes('@') ? contact : contact.replace(/\D/g, '').slice(-10)))
  const named = await tx<{ id: string }[]>`
    select distinct other.id from timeline_entries,
      lateral (values (details->>'merged_into'), (details->>'unmerged_lead'), (details->>'unmerged_from')) as other (id)
    where account_id = ${accountId} and lead_id = any (${ids}::uuid[]) and other.id is not null`
  const known = named.map(({ id }) => id)
  const kept = await tx<{ id: string }[]>`select kept_lead_id as id from merged_leads
    where account_id = ${accountId} and lead_id = any (${known}::uuid[])`
  const found = await tx<{ id: string }[]>`select leads_of_person(${accountId}, ${[...ids, ...terms]}) as id`
  return [...known, ...[...kept, ...found].map(({ id }) => id)].filter((id) => !ids.includes(id))
}

/** Locks leads in the order of their ids, and returns those that exist. */
export async function lockLinkedLeads(tx: TransactionSql, accountId: string, ids: string[]): Promise<LinkedLead[]> {
  if (ids.length === 0) return []
  return tx<LinkedLead[]>`select id, name, notes from leads
    where account_id = ${accountId} and id = any (${ids}::uuid[]) order by id for update`
}

/** What a lead has that may contain another person. */
const textsOf = {
  timeline_entries: ['summary', 'details'],
  enquiries: ['message', 'origin', 'answers', 'consent', 'product', 'campaign', 'ad', 'form'],
  call_logs: ['notes', 'agent', 'recording_url', 'review_remark'],
  phone_calls: ['phone', 'facts'],
} as const
/** Half of these is of no use. */
const wholes = ['phone', 'recording_url']

async function eraseInLead(
  tx: TransactionSql,
  accountId: string,
  { id, notes }: LinkedLead,
  { without, names }: { without: Without; names: string[] },
): Promise<void> {
  for (const [table, columns] of Object.entries(textsOf)) {
    const rows = await tx<{ key: string; row: Record<string, unknown> }[]>`
      select id::text as key, to_jsonb(texts) as row from ${tx(table)},
        lateral (select ${tx([...columns])}) as texts
      where account_id = ${accountId} and lead_id = ${id}`
    for (const { key, row } of rows) {
      const erased = without(table === 'timeline_entries' ? withoutNames(row, names) : row)
      const changed = columns.filter((column) => JSON.stringify(erased[column]) !== JSON.stringify(row[column]))
      for (const column of changed) {
        const value = wholes.includes(column) ? null : erased[column]
        await tx`update ${tx(table)} set ${tx(column)} = ${typeof value === 'object' && value !== null ? tx.json(value as never) : (value as string | null)}
          where account_id = ${accountId} and lead_id = ${id} and id::text = ${key}`
      }
    }
  }
  if (without(notes) !== notes)
    await tx`update leads set notes = ${without(notes)}, answer_start = null where account_id = ${accountId} and id = ${id}`
  const answers = await tx<{ api_key_id: string; key: string; response: string }[]>`
    select api_key_id, key, response from idempotency_keys
    where account_id = ${accountId} and lead_id = ${id} and response is not null`
  for (const { api_key_id, key, response } of answers) {
    if (without(response) !== response)
      await tx`delete from idempotency_keys
        where account_id = ${accountId} and api_key_id = ${api_key_id} and key = ${key}`
  }
}

/** Names in views count if no other lead has them. One word is a search for many. */
async function namesOfNoOther(tx: TransactionSql, accountId: string, { ids, names }: Person): Promise<string[]> {
  const full = names.filter((name) => /\S\s+\S/.test(name))
  const rows = await tx<{ name: string }[]>`select name from unnest(${full}::text[]) as full_name (name)
    where not exists (select from leads where account_id = ${accountId} and name_key = search_key(full_name.name)
      and lower(leads.name) = lower(full_name.name) and id <> all (${ids}::uuid[]))`
  return rows.map(({ name }) => name)
}

/** Returns a function that replaces the person's contacts in all texts of a value. */
function withoutContacts({ contacts, country }: Person): Without {
  const source = patternOf({ contacts, names: [] }, inScript)
  const pattern = source === '' ? null : new RegExp(source, 'giu')
  const keys = new Set(contacts)
  const isContact = (text: string) => {
    if (text.length > 254) return false
    const key = contactKey({ kind: text.includes('@') ? 'email' : 'phone', value: text }, country)
    return key !== null && keys.has(key)
  }
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return isContact(value) ? removed : pattern ? value.replace(pattern, removed) : value
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]))
  }
  return (value) => replaced(value) as typeof value
}

interface Details {
  changes?: Record<string, unknown>[]
  not_taken?: Record<string, unknown>[]
  submitted?: Record<string, unknown>
}

/** Replaces names where an entry of a timeline says what the name was. */
function withoutNames(row: Record<string, unknown>, names: string[]): Record<string, unknown> {
  if (names.length === 0) return row
  const isName = (value: unknown) => typeof value === 'string' && names.includes(value)
  const ofName = (one: Record<string, unknown>, fields: string[]) => ({
    ...one,
    ...Object.fromEntries(fields.filter((field) => isName(one[field])).map((field) => [field, removed])),
  })
  const { changes, not_taken, submitted } = row.details as Details
  const ofField = (all: Record<string, unknown>[], fields: string[]) =>
    all.map((one) => (one.field === 'name' ? ofName(one, fields) : one))
  const said = new RegExp(`(?<=name: (?:.* → )?)(?:${names.map(literal).join('|')})(?= → |, |\\.|$)`, 'gu')
  return {
    summary: (row.summary as string).replace(said, removed),
    details: {
      ...(row.details as Details),
      ...(changes && { changes: ofField(changes, ['before', 'after']) }),
      ...(not_taken && { not_taken: ofField(not_taken, ['offered']) }),
      ...(submitted && { submitted: ofName(submitted, ['name']) }),
    },
  }
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Letters and digits of any script, for JavaScript and for PostgreSQL. */
const [inScript, inDatabase] = ['\\p{L}\\p{M}\\p{N}', '[:alnum:]']

/** Emails, the last ten digits of phones with a country code and signs between them, and whole names. */
function patternOf({ contacts, names }: { contacts: string[]; names: string[] }, letters: string): string {
  const ofContacts = contacts.flatMap((contact) => {
    if (contact.includes('@')) return `(?<![${letters}._%+-])${literal(contact)}(?![${letters}-]|\\.[${letters}])`
    const digits = contact.replace(/\D/g, '').slice(-10)
    return digits.length < minDigits ? [] : `(?:\\+?[0-9]{1,3}[ -]?)?${[...digits].join('[ ().-]{0,3}')}(?![0-9])`
  })
  const ofNames = names.map(
    (name) => `(?<![${letters}])${name.trim().split(/\s+/).map(literal).join('\\s+')}(?![${letters}])`,
  )
  return [...ofContacts, ...ofNames].join('|')
}
