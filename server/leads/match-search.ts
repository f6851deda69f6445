import type { PendingQuery, Row, TransactionSql } from 'postgres'
import type { SearchTerms } from './search-terms.ts'

type Fragment = PendingQuery<Row[]>

/** The search as a condition on `leads`. Each word is the prefix of some word of the name. */
export function matchesSearch(tx: TransactionSql, { words, phones, email }: SearchTerms): Fragment {
  const named = words.map((word) => tx`strpos(' ' || name_key, ' ' || lower(${word})) > 0`)
  const ways = [
    ...(named.length > 0 ? [tx`(${joined(tx, named, tx` and `)})`] : []),
    ...phones.map((phone) => tx`starts_with(phone_key, ${phone})`),
    ...(email === null ? [] : [tx`starts_with(email_key, ${email})`]),
  ]
  return tx`(${ways.length > 0 ? joined(tx, ways, tx` or `) : tx`false`})`
}

/**
 * At most `most` leads that match, with the columns that filters and orders need, found by indexes: by prefixes of the name,
 * its last word, a phone or an email. Leads that match only by a word in the middle of the name are not among them.
 */
export function prefixMatches(tx: TransactionSql, accountId: string, terms: SearchTerms, most: number): Fragment {
  const { words, phones, email } = terms
  const columns = tx`account_id, id, status, source, priority, assigned_to, created_at, updated_at, name_key`
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
  const ranges = [
    ...(words.length > 1 ? [prefixRange(tx, 'name_key', words.join(' '))] : []),
    ...(longest === '' ? [] : [prefixRange(tx, 'name_key', longest), prefixRange(tx, 'last_name_key', longest)]),
    ...phones.map((phone) => prefixRange(tx, 'phone_key', phone)),
    ...(email === null ? [] : [prefixRange(tx, 'email_key', email)]),
  ]
  const found = ranges.map(
    (
      within,
    ) => tx`(select ${columns} from leads where account_id = ${accountId} and ${within} and ${matchesSearch(tx, terms)}
      limit ${most})`,
  )
  return tx`select * from (${joined(tx, found, tx` union `)}) found limit ${most}`
}

/** All values with this prefix: the last character of Unicode stands for everything that follows. */
function prefixRange(
  tx: TransactionSql,
  column: 'name_key' | 'last_name_key' | 'phone_key' | 'email_key',
  prefix: string,
): Fragment {
  return tx`${tx(column)} >= lower(${prefix}) and ${tx(column)} < lower(${prefix}) || ${'\u{10FFFF}'}`
}

function joined(tx: TransactionSql, parts: Fragment[], by: Fragment): Fragment {
  return parts.slice(1).reduce((all, part) => tx`${all}${by}${part}`, parts[0]!)
}
