import type { Actor } from '../../platform/database/actor.ts'
import type { Statement, TransactionSql } from '../../platform/database/sql.ts'
import { indianBeginnings, indianPattern } from './indian-spellings.ts'
import { joined } from './lead-filters.ts'
import { beginnings, type SearchTerms } from './search-terms.ts'

type Fragment = Statement

interface Words {
  /** So many enquiries have the words that each lead is looked at. */
  commonWords: boolean
}

/**
 * The search as a condition on `leads`. Each word is the prefix of some word of the name, company, city or tags, also behind a hyphen, or
 * all are words of one enquiry.
 */
export function matchesSearch(
  tx: TransactionSql,
  accountId: string,
  terms: SearchTerms,
  { commonWords }: Words,
): Fragment {
  const said = terms.words.join(' ')
  if (said === '') return matchesLead(tx, accountId, terms)
  // As a condition with EXISTS, PostgreSQL may read all enquiries first.
  const inEnquiry = commonWords
    ? tx`coalesce((select true from enquiries where enquiries.account_id = ${accountId} and enquiries.lead_id = leads.id
        and ${hasWords(tx, accountId, said)} limit 1), false)`
    : tx`leads.id in (${withWords(tx, accountId, said, maxWithWords)})`
  return tx`(${matchesLead(tx, accountId, terms)} or ${inEnquiry})`
}

/** Whether an enquiry has all words of the text. Signs alone are no word. */
function hasWords(tx: TransactionSql, accountId: string, words: string): Fragment {
  const wanted = tx`enquiry_terms(${accountId}, '[]', ${tx.json({ product: words })}::jsonb)`
  return tx`(enquiry_terms(${accountId}, answers, origin) @> ${wanted} and ${wanted} <> '{}')`
}

/** Beyond so many enquiries with the words of a search, each lead is looked at. */
const maxWithWords = 40_000
/** Where more leads are searched, a sample is looked at first, as ids are random: the index would read all enquiries with the words. */
const sample = { of: 100_000, leads: 100, common: 10, from: '80000000-0000-0000-0000-000000000000' }

/** `among`: how many leads are searched. */
export async function areWordsCommon(
  tx: TransactionSql,
  actor: Actor,
  terms: SearchTerms,
  { among }: { among: number },
): Promise<boolean> {
  const said = terms.words.join(' ')
  if (said === '') return false
  const { account_id } = actor
  if (among > sample.of && actor.sees === 'all') {
    const [some] = await tx`select count(*)::int as n from (
        select id from leads where account_id = ${account_id} and id >= ${sample.from} order by id limit ${sample.leads}
      ) leads
      where coalesce((select ${hasWords(tx, account_id, said)} from enquiries
        where enquiries.account_id = ${account_id} and enquiries.lead_id = leads.id limit 1), false)`
    if (some!.n >= sample.common) return true
  }
  const [found] = await tx`select count(*)::int as n from (${withWords(tx, account_id, said, maxWithWords + 1)}) said`
  return found!.n > maxWithWords
}

/** The ids of leads of which an enquiry has all words of the search. */
const withWords = (tx: TransactionSql, accountId: string, words: string, limit: number) =>
  tx`select leads_with_words(${accountId}, ${words}, ${limit})`

function matchesLead(tx: TransactionSql, accountId: string, terms: SearchTerms): Fragment {
  const { words, phones, phoneEnd, email } = terms
  // Each text for itself: joining them first takes three times as long.
  const begins = (text: Fragment, word: string) =>
    tx`(strpos(' ' || ${text}, ' ' || search_key(${word})) > 0 or strpos(${text}, '-' || search_key(${word})) > 0)`
  const isIn = (word: string) => tx`(${begins(tx`name_key`, word)} or ${begins(tx`company_key`, word)}
      or ${begins(tx`city_key`, word)} or tags <> '{}' and ${begins(tx`search_key(array_to_string(tags, ' '))`, word)})`
  const isInIndianScript = (word: string) => {
    const pattern = indianPattern(word)
    return pattern === null ? [] : [tx`(octet_length(name_key) > length(name_key) and name_key ~ ${pattern})`]
  }
  const found = words.map(
    (word) => tx`(${joined(tx, [...beginnings(word).map(isIn), ...isInIndianScript(word)], tx` or `)})`,
  )
  const conditions = [
    ...(found.length > 0 ? [tx`(${joined(tx, found, tx` and `)})`] : []),
    ...phones.map((phone) => tx`starts_with(phone_key, ${phone})`),
    ...(phoneEnd === null ? [] : [tx`starts_with(phone_end, ${phoneEnd})`]),
    ...(email === null ? [] : [tx`starts_with(email_key, ${email})`]),
    ...otherRanges(tx, terms).map((within) => tx`leads.id in (${ofOtherContacts(tx, accountId, within)})`),
  ]
  return tx`(${conditions.length > 0 ? joined(tx, conditions, tx` or `) : tx`false`})`
}

/** If more leads than these match by prefix, only the newest ones are read. */
export const maxByPrefix = 5000

/**
 * At most `limit` leads that match, with the columns that filters and orders need, found by indexes: by prefixes of the name,
 * its last word, the company, the city, a phone or an email, by the end of a phone, by a whole tag, or by words of an enquiry. Leads that
 * match only by a word in the middle are not among them.
 */
export function prefixMatches(tx: TransactionSql, accountId: string, terms: SearchTerms, limit: number): Fragment {
  const { words, phones, phoneEnd, email } = terms
  const columns = tx`account_id, id, status, source, priority, assigned_to, created_at, updated_at, name_key,
    last_call_at, deal_paise, city_key, tags, product, campaign, ad, form, call_again_at, enquired_again_at, lost_reason,
    closed_at, assignee_at_close, first_assignee`
  const byLength = words.toSorted((one, other) => other.length - one.length)
  // Shorter ones are of too many leads. The first word is often how a name or a company begins.
  const starts = [...new Set([...words.slice(0, 1), ...byLength.slice(0, 2)])].filter(({ length }) => length >= 3)
  const whole = words.join(' ')
  const ranges = [
    ...(words.length > 1 ? prefixRanges(tx, ['name_key', 'company_key', 'city_key'], whole) : []),
    ...starts.flatMap((word) => prefixRanges(tx, ['name_key', 'last_name_key', 'company_key', 'city_key'], word)),
    ...(starts.length === 0 && byLength[0] ? prefixRanges(tx, ['name_key', 'last_name_key'], byLength[0]) : []),
    ...(whole === '' ? [] : [tx`id in (select leads_with_tag(${accountId}, ${whole}, ${limit}))`]),
    ...phones.map((phone) => prefixRange(tx, 'phone_key', phone)),
    ...(phoneEnd === null ? [] : [prefixRange(tx, 'phone_end', phoneEnd)]),
    ...(email === null ? [] : [prefixRange(tx, 'email_key', email)]),
    ...otherRanges(tx, terms).map(
      (within) => tx`leads.id = any (array(${ofOtherContacts(tx, accountId, within)} limit ${limit}))`,
    ),
  ]
  const inIndianScripts = starts.flatMap(indianBeginnings)
  const found = ranges.map(
    (
      within,
    ) => tx`(select ${columns} from leads where account_id = ${accountId} and ${within} and ${matchesLead(tx, accountId, terms)}
      limit ${limit})`,
  )
  if (inIndianScripts.length > 0) {
    const ofEach = (
      column: 'name_key' | 'last_name_key',
    ) => tx`(select found.* from unnest(${inIndianScripts}::text[]) as beginning (text),
      lateral (select ${columns} from leads where account_id = ${accountId} and ${prefixRange(tx, column, tx`beginning.text`)}
        and ${matchesLead(tx, accountId, terms)} limit ${limit}) found limit ${limit})`
    found.push(ofEach('name_key'), ofEach('last_name_key'))
  }
  if (whole !== '') {
    const said = withWords(tx, accountId, whole, limit)
    found.push(tx`(select ${columns} from leads where account_id = ${accountId} and leads.id = any (array(${said})))`)
  }
  return tx`select * from (${joined(tx, found, tx` union `)}) found limit ${limit}`
}

/** The phones and emails of a search among other contacts. */
const otherRanges = (tx: TransactionSql, { phones, phoneEnd, email }: SearchTerms): Fragment[] => [
  ...[...phones, ...(email === null ? [] : [email])].map((key) => prefixRange(tx, 'key', key)),
  ...(phoneEnd === null ? [] : [prefixRange(tx, 'key_end', phoneEnd)]),
]

const ofOtherContacts = (tx: TransactionSql, accountId: string, within: Fragment) =>
  tx`select lead_id from lead_contacts where account_id = ${accountId} and ${within}`

type SearchedColumn =
  | 'name_key'
  | 'last_name_key'
  | 'company_key'
  | 'city_key'
  | 'phone_key'
  | 'phone_end'
  | 'email_key'
  | 'key'
  | 'key_end'

const prefixRanges = (tx: TransactionSql, columns: SearchedColumn[], prefix: string) =>
  beginnings(prefix).flatMap((word) => columns.map((column) => prefixRange(tx, column, tx`search_key(${word})`)))

/** All values with this prefix: the last character of Unicode stands for everything that follows. */
function prefixRange(tx: TransactionSql, column: SearchedColumn, prefix: string | Fragment): Fragment {
  return tx`${tx(column)} >= ${prefix} and ${tx(column)} < ${prefix} || ${'\u{10FFFF}'}`
}
