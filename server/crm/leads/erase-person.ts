import type { CountryCode } from 'libphonenumber-js/max'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { notifyDirectoryChanged } from '../../platform/database/watch.ts'
import { contactKey } from '../contacts/contact.ts'
import { isSharedPlaceholder } from '../contacts/contract.ts'
import { eraseElsewhere, linkedLeads, lockLinkedLeads, type Person } from './erase-elsewhere.ts'
import type { LockedLead } from './lead.ts'
import { firstContacts } from './merge-contacts.ts'
import { lockContacts, otherContacts } from './store.ts'

const maxContacts = 200
/** Limits for names that may be keys: a pattern of many or long ones takes seconds. */
const [maxNames, maxNameLength] = [10, 80]

interface PersonToErase {
  lead: LockedLead
  /** The ids of leads that were merged into it. */
  merged: string[]
  country: CountryCode
}

/**
 * Locks what an erasure changes beside the lead, in the order of submissions and merges: the person's contacts, then the lead and those
 * that contain the person. Otherwise two erasures of persons who shared a contact wait for each other.
 */
export async function lockPerson(tx: TransactionSql, accountId: string, person: PersonToErase): Promise<void> {
  const { contacts, elsewhere } = await findPerson(tx, accountId, person)
  await lockContacts(tx, accountId, contacts.map(keyOf))
  await lockLinkedLeads(tx, accountId, [person.lead.id, ...(await linkedLeads(tx, accountId, elsewhere))])
}

/**
 * Removes a person's data outside of the lead: in deliveries by lead and by contact, and in what other leads, views and
 * imports contain. Runs under the lead's lock, for the whole account. Returns whether settings of a webhook contained the
 * person.
 */
export async function erasePerson(tx: TransactionSql, accountId: string, person: PersonToErase): Promise<boolean> {
  const { lead, merged } = person
  const { contacts, elsewhere } = await findPerson(tx, accountId, person)
  await eraseElsewhere(tx, accountId, elsewhere)
  const [row] = await tx<{ named: boolean }[]>`
    select forget_person(${accountId}, ${lead.id}, ${contacts}, ${elsewhere.names}) as named`
  // Their deliveries are found by the contacts above; those that have none, by the id of the lead.
  for (const id of merged) await tx`select forget_person(${accountId}, ${id}, '{}')`
  if (row!.named) await notifyDirectoryChanged(tx, accountId)
  return row!.named
}

/** Returns the key of a contact with its kind: that of `phone:+919810000001` is `+919810000001`. */
const keyOf = (contact: string) => contact.slice(contact.indexOf(':') + 1)

/** Returns the person's contacts, each with its kind, and what of the person is removed elsewhere. */
async function findPerson(
  tx: TransactionSql,
  accountId: string,
  { lead, merged, country }: PersonToErase,
): Promise<{ contacts: string[]; elsewhere: Person }> {
  const { contacts, names } = await namesAndContactsOf(tx, accountId, lead, country)
  const keys = contacts.map(keyOf)
  const [held] = await tx<{ holders: string[] }[]>`select holders_of(${accountId}, ${keys}) as holders`
  const firsts = await tx<{ key: string }[]>`
    select key from leads, lateral (values (phone_key), (email_key)) as first (key)
    where account_id = ${accountId} and id = any (${held!.holders}) and id <> ${lead.id}`
  const own = keys.filter((key) => !firsts.some((first) => first.key === key))
  return { contacts, elsewhere: { ids: [lead.id, ...merged], contacts: own, names, country } }
}

/**
 * The names and contact keys of the lead, now and before: from the changes, rejected values and submissions on its
 * timeline.
 */
async function namesAndContactsOf(tx: TransactionSql, accountId: string, lead: LockedLead, country: CountryCode) {
  const found = await tx<{ field: string; value: string }[]>`
    select field, value from (
      select found->>'field' as field, unnest(array[found->>'before', found->>'after']) as value
      from timeline_entries, jsonb_path_query(details, '$.changes[*] ? (@.field == "phone" || @.field == "email" || @.field == "name")') as found
      where account_id = ${accountId} and lead_id = ${lead.id}
      union all
      select found->>'field', found->>'offered'
      from timeline_entries, jsonb_path_query(details, '$.not_taken[*] ? (@.field == "phone" || @.field == "email" || @.field == "name")') as found
      where account_id = ${accountId} and lead_id = ${lead.id}
      union all
      select case when value like '%@%' then 'email' else 'phone' end, value
      from timeline_entries, lateral (
        select jsonb_path_query(details, '$.changes[*] ? (@.field == "other_contacts").added[*]')
        union all select jsonb_path_query(details, '$.changes[*] ? (@.field == "other_contacts").removed[*]')
        union all select jsonb_path_query(details, '$.submitted.contacts[*]')
      ) contact (found), lateral (select found #>> '{}') text (value)
      where account_id = ${accountId} and lead_id = ${lead.id}
      union all
      select contact.field, details->'submitted'->>contact.field
      from timeline_entries, (values ('phone'), ('email'), ('name')) as contact (field)
      where account_id = ${accountId} and lead_id = ${lead.id}
    ) found where value is not null group by field, value order by field = 'name' limit ${maxContacts}`
  const now = [...firstContacts(lead), ...(await otherContacts(tx, accountId, lead.id))]
  const earlier = found.flatMap(({ field, value }) => {
    if (field === 'name') return []
    const kind = field as 'phone' | 'email'
    return { kind, value, key: contactKey({ kind, value }, country) }
  })
  // A placeholder is in deliveries of others, and no delivery is found by the id of a WhatsApp user.
  const ours = [...now, ...earlier].filter(
    ({ kind, value, key }) => key && kind !== 'whatsapp' && !isSharedPlaceholder(value),
  )
  const others = await tx<{ key: string }[]>`select key from lead_contacts
    where account_id = ${accountId} and lead_id <> ${lead.id} and key = any (${ours.map(({ key }) => key)})`
  const isOthers = (key: string | null) => others.some((other) => other.key === key)
  const contacts = [...new Set(ours.flatMap(({ kind, key }) => (isOthers(key) ? [] : `${kind}:${key}`)))]
  const before = found.filter(({ field }) => field === 'name').map(({ value }) => value)
  const names = [...new Set([lead.name, ...before])].filter(({ length }) => length <= maxNameLength)
  return { contacts, names: names.slice(0, maxNames) }
}
