import type { PendingQuery, Row, TransactionSql } from 'postgres'
import type { SearchTerms } from './search-terms.ts'

type Fragment = PendingQuery<Row[]>

/** What was typed as a condition on `leads`. Words begin any word of the name, in any order. */
export function matches(tx: TransactionSql, { words, phones, email }: SearchTerms): Fragment {
  const named = words.map((word) => tx`strpos(' ' || name_key, ' ' || lower(${word})) > 0`)
  const ways = [
    ...(named.length > 0 ? [tx`(${joined(tx, named, tx` and `)})`] : []),
    ...phones.map((phone) => tx`starts_with(phone_key, ${phone})`),
    ...(email === null ? [] : [tx`starts_with(email_key, ${email})`]),
  ]
  return tx`(${ways.length > 0 ? joined(tx, ways, tx` or `) : tx`false`})`
}

/**
 * At most `most` leads, with what filters and orders ask for, that match, found by indexes: a name by its beginning or its last word, a phone and an
 * email by theirs. A lead of which only a word in the middle of the name was typed is not among them.
 */
export function beginnings(tx: TransactionSql, accountId: string, terms: SearchTerms, most: number): Fragment {
  const { words, phones, email } = terms
  const columns = tx`account_id, id, status, source, priority, assigned_to, created_at, updated_at, name_key`
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
  const ranges = [
    ...(words.length > 1 ? [range(tx, 'name_key', words.join(' '))] : []),
    ...(longest === '' ? [] : [range(tx, 'name_key', longest), range(tx, 'last_name_key', longest)]),
    ...phones.map((phone) => range(tx, 'phone_key', phone)),
    ...(email === null ? [] : [range(tx, 'email_key', email)]),
  ]
  const found = ranges.map(
    (within) => tx`(select ${columns} from leads where account_id = ${accountId} and ${within} and ${matches(tx, terms)}
      limit ${most})`,
  )
  return tx`select * from (${joined(tx, found, tx` union `)}) found limit ${most}`
}

/** From the beginning on to just before the next one: the last character there is stands for all that follow. */
function range(
  tx: TransactionSql,
  column: 'name_key' | 'last_name_key' | 'phone_key' | 'email_key',
  beginning: string,
): Fragment {
  return tx`${tx(column)} >= lower(${beginning}) and ${tx(column)} < lower(${beginning}) || ${'\u{10FFFF}'}`
}

function joined(tx: TransactionSql, parts: Fragment[], by: Fragment): Fragment {
  return parts.slice(1).reduce((all, part) => tx`${all}${by}${part}`, parts[0]!)
}
