import type { Actor } from '../../platform/database/actor.ts'
import type { Sql, Statement, TransactionSql } from '../../platform/database/sql.ts'
import type { DateWindow } from '../../platform/http/date-window.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts, unassigned } from '../counts/tables.ts'
import { type FollowUp, type LeadPriority, type LeadStatus, type OriginField, originFields } from './contract.ts'
import { isGoingCold, isOverdue, isToAnswer } from './follow-up.ts'
import { closingOwner, firstOwner } from './owner-then.ts'
import type { SearchTerms } from './search-terms.ts'

/** A lead has one of the values of each filter. A list without values is no filter; one of owners fits no lead. */
export interface LeadFilters {
  window: DateWindow
  status?: LeadStatus[] | undefined
  source?: string[] | undefined
  priority?: LeadPriority[] | undefined
  /** Users of the account, and 'nobody' for unassigned leads. */
  owners?: Owner[] | undefined
  tag?: string[] | undefined
  city?: string[] | undefined
  origin?: Partial<Record<OriginField, string[] | undefined>>
  /** When the last call was; null for leads without one. */
  lastCall?: { from?: Date; until?: Date } | null | undefined
  followUp?: { kind: FollowUp; now: Date; coldBefore: Date } | undefined
  lostReason?: string[] | undefined
  /** When it was won or lost, and who owned it then. */
  closed?: Pick<DateWindow, 'from' | 'until'> | undefined
  closedBy?: Owner[] | undefined
  firstOwners?: Owner[] | undefined
  minValue?: number | undefined
  maxValue?: number | undefined
  /** Created by an import, or merged with a row of it. */
  importId?: string | undefined
  search: SearchTerms | null
  /** Leads that were chosen one by one, for an export. */
  ids?: string[]
}

type Owner = { id: string; email: string } | 'nobody'

type Fragment = Statement
type FieldFilters = Pick<LeadFilters, 'status' | 'source' | 'priority'>

/** Conditions on columns that `leads` and its counts share. */
export function conditionsByField(
  sql: Sql | TransactionSql,
  { status, source, priority }: FieldFilters,
): Record<keyof FieldFilters, Fragment | undefined> {
  return {
    status: among(sql, 'status', status),
    source: among(sql, 'source', source),
    priority: among(sql, 'priority', priority),
  }
}

export function fieldConditions(sql: Sql | TransactionSql, filters: FieldFilters): Fragment {
  const { status, source, priority } = conditionsByField(sql, filters)
  const and = (condition: Fragment | undefined) => (condition ? sql`and ${condition}` : sql``)
  return sql`${and(status)} ${and(source)} ${and(priority)}`
}

/** A single value is compared with `=`, for which one plan is good and an index gives the order. */
function among(sql: Sql | TransactionSql, column: string, values: string[] = []): Fragment | undefined {
  if (values.length === 0) return undefined
  return values.length === 1 ? sql`${sql(column)} = ${values[0]!}` : sql`${sql(column)} = any (${values})`
}

const isSet = (values: readonly unknown[] | undefined) => values !== undefined && values.length > 0

export const isByField = ({ status, source, priority }: FieldFilters) =>
  isSet(status) || isSet(source) || isSet(priority)

/** Whether the daily counts do not know how many leads the filters leave. */
export function hasUncountedFilter({
  tag,
  city,
  origin = {},
  lastCall,
  followUp,
  lostReason,
  closed,
  closedBy,
  firstOwners,
  minValue,
  maxValue,
  importId,
}: LeadFilters): boolean {
  const given = [lastCall, followUp, closed, minValue, maxValue, importId].some((value) => value !== undefined)
  return given || [tag, city, lostReason, closedBy, firstOwners, ...Object.values(origin)].some(isSet)
}

/** Whether each filter has one value at most, as those of the API. */
export function isSingle({ status = [], source = [], priority = [], owners }: LeadFilters): boolean {
  return [status, source, priority].every(({ length }) => length < 2) && (!owners || owners.length === 1)
}

/**
 * Conditions on `leads`. The assignees that the actor sees are named for the plan; the policy enforces them. `rareTags`
 * finds leads by the index of tags.
 */
export function filterConditions(
  tx: Sql | TransactionSql,
  actor: Actor,
  filters: LeadFilters,
  { rareTags = false } = {},
): Fragment {
  const {
    window,
    tag = [],
    city = [],
    origin = {},
    lastCall,
    followUp,
    lostReason = [],
    closed,
    closedBy,
    firstOwners,
    minValue,
    maxValue,
    importId,
    ids,
  } = filters
  const tagged = rareTags
    ? tx`leads.id in (${joined(tx, withTags(tx, actor, tag), tx` union all `)})`
    : tx`exists (select from unnest(tags) as tag where search_key(tag) in (${keys(tx, tag)}))`
  const owned = ownerCondition(tx, actor, filters)
  return tx`leads.account_id = ${actor.account_id} and leads.created_at >= ${window.from}
    and leads.created_at < ${window.until} ${fieldConditions(tx, filters)} ${owned ? tx`and ${owned}` : tx``}
    ${isSet(tag) ? tx`and ${tagged}` : tx``} ${isSet(city) ? tx`and city_key in (${keys(tx, city)})` : tx``}
    ${originFields.map((field) => originCondition(tx, field, origin[field]))}
    ${lastCall === null ? tx`and last_call_at is null` : tx``}
    ${lastCall?.from ? tx`and last_call_at >= ${lastCall.from}` : tx``}
    ${lastCall?.until ? tx`and last_call_at < ${lastCall.until}` : tx``}
    ${followUp ? tx`and ${followUpCondition(tx, followUp)}` : tx``}
    ${isSet(lostReason) ? tx`and status = 'Lost' and lost_reason = any (${lostReason})` : tx``}
    ${closed ? tx`and closed_at >= ${closed.from} and closed_at < ${closed.until}` : tx``}
    ${closedBy ? tx`and closed_at is not null and ${isOneOf(tx, closingOwner(tx, actor), closedBy)}` : tx``}
    ${firstOwners ? tx`and ${isOneOf(tx, firstOwner(tx, actor), firstOwners)}` : tx``}
    ${ids ? tx`and leads.id = any (${ids}::uuid[])` : tx``}
    ${importId ? tx`and leads.id in (select lead_id from lead_import_leads where account_id = ${actor.account_id} and import_id = ${importId})` : tx``}
    ${minValue === undefined ? tx`` : tx`and deal_paise >= ${minValue * 100}`}
    ${maxValue === undefined ? tx`` : tx`and deal_paise <= ${maxValue * 100}`}`
}

function originCondition(tx: Sql | TransactionSql, field: OriginField, values: string[] | undefined): Fragment {
  const condition = among(tx, field, values)
  return condition ? tx`and ${condition}` : tx``
}

function followUpCondition(
  tx: Sql | TransactionSql,
  { kind, now, coldBefore }: NonNullable<LeadFilters['followUp']>,
): Fragment {
  if (kind === 'going_cold') return isGoingCold(tx, coldBefore)
  if (kind === 'overdue') return isOverdue(tx, now)
  return kind === 'to_answer' ? isToAnswer(tx) : tx`leads.enquired_again_at is not null`
}

/** Beyond so many leads, those with a tag are found by reading all. */
export const maxWithTag = 10_000

/** Whether few leads that the actor sees have the tags of the filters. */
export async function areTagsRare(tx: TransactionSql, actor: Actor, { tag = [] }: LeadFilters): Promise<boolean> {
  if (tag.length === 0) return false
  const [found] =
    await tx`select count(*)::int as n from (${joined(tx, withTags(tx, actor, tag), tx` union all `)}) tagged`
  return found!.n <= maxWithTag
}

const withTags = (tx: Sql | TransactionSql, { account_id }: Actor, tags: string[]) =>
  tags.map((tag) => tx`select leads_with_tag(${account_id}, ${tag}, ${maxWithTag + 1})`)

const keys = (tx: Sql | TransactionSql, texts: string[]) =>
  joined(
    tx,
    texts.map((text) => tx`search_key(${text})`),
    tx`, `,
  )

export function joined(tx: Sql | TransactionSql, parts: Fragment[], by: Fragment): Fragment {
  return parts.slice(1).reduce((all, part) => tx`${all}${by}${part}`, parts[0] ?? tx``)
}

/** How many leads the filters leave that the daily counts know, without the search. */
export async function countFiltered(tx: Sql | TransactionSql, actor: Actor, filters: LeadFilters): Promise<number> {
  const { first_day, last_day } = filters.window
  const counts = readCounts(tx, leadCounts, {
    within: tx`account_id = ${actor.account_id} and day between ${first_day} and ${last_day}`,
    where: { ...conditionsByField(tx, filters), assigned_to: ownerCondition(tx, actor, filters, unassigned) },
  })
  const [counted] = await tx`select coalesce(sum(n), 0)::int as n from ${counts}`
  return counted!.n
}

/** `nobodysId` stands for the owner of unassigned leads, where these have one. */
function ownerCondition(
  tx: Sql | TransactionSql,
  actor: Actor,
  { owners }: LeadFilters,
  nobodysId?: string,
): Fragment | undefined {
  if (!owners) return actor.sees === 'all' ? undefined : tx`assigned_to = any (${actor.sees as string[]}::uuid[])`
  return isOneOf(tx, tx`assigned_to`, owners, nobodysId)
}

function isOneOf(tx: Sql | TransactionSql, column: Fragment, owners: Owner[], nobodysId?: string): Fragment {
  const ids = owners.flatMap((owner) => (owner === 'nobody' ? (nobodysId ?? []) : owner.id))
  if (ids.length === 0 && owners.length > 0) return tx`${column} is null`
  const named = ids.length === 1 ? tx`${column} = ${ids[0]!}` : tx`${column} = any (${ids}::uuid[])`
  return owners.includes('nobody') && !nobodysId ? tx`(${column} is null or ${named})` : named
}
