import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { instantText } from '../../platform/http/instants.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts } from '../counts/tables.ts'
import { frequentQuestions } from '../enquiries/store.ts'
import { type LeadChoices, maxQuestionLength, originFields } from './contract.ts'

/** The source labels of the leads that the actor sees, the most used first. */
export async function listSources(database: Database, actor: Actor): Promise<string[]> {
  const { account_id, sees } = actor
  const rows = await readAsActor(database, actor, (tx) => {
    const assigned_to = sees === 'all' ? undefined : tx`assigned_to = any (${sees as string[]}::uuid[])`
    const counts = readCounts(tx, leadCounts, {
      within: tx`account_id = ${account_id}`,
      where: { assigned_to },
      by: ['source'],
    })
    return tx<{ source: string }[]>`
      select source from ${counts} group by source having sum(n) > 0 order by sum(n) desc, source limit 200`
  })
  return rows.map(({ source }) => source)
}

/** Values are taken from so many of the newest leads: any others can be typed. */
const newest = 2000
const newestWithQuestions = 500
const maxChoices = 100
const maxQuestions = 30

/** Selects the newest leads that the actor sees, of each owner the same number: an index has them in order. */
function newestOf(tx: TransactionSql, { account_id, sees }: Actor, limit: number) {
  if (sees === 'all')
    return tx`select * from leads where account_id = ${account_id} order by created_at desc, id desc limit ${limit}`
  return tx`select theirs.* from unnest(${sees as string[]}::uuid[]) as owner (id), lateral (
      select * from leads where account_id = ${account_id} and assigned_to = owner.id
      order by created_at desc, id desc limit ${Math.ceil(limit / Math.max(sees.length, 1))}
    ) theirs`
}

/** The values of fields of the newest leads that the actor sees, the most used first. */
export async function listFieldValues(
  database: Database,
  actor: Actor,
): Promise<Omit<LeadChoices, 'sources' | 'imports' | 'people'>> {
  const rows = await readAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const ofColumn = (name: string) => tx`
      union all
      (select ${name}, ${tx(name)} from newest where ${tx(name)} is not null
        group by ${tx(name)} order by count(*) desc, ${tx(name)} limit ${maxChoices})`
    return tx<{ field: string; value: string }[]>`
      with newest as materialized (select tags, city, product, campaign, ad, form from (${newestOf(tx, actor, newest)}) leads)
      (select 'tag' as field, mode() within group (order by tag) as value from newest, unnest(tags) as tag
        group by lower(tag) order by count(*) desc, lower(tag) limit ${maxChoices})
      ${['city', ...originFields].map(ofColumn)}`
  })
  const valuesOf = (wanted: string) => rows.filter(({ field }) => field === wanted).map(({ value }) => value)
  const [product, campaign, ad, form] = originFields.map(valuesOf) as [string[], string[], string[], string[]]
  return { tags: valuesOf('tag'), cities: valuesOf('city'), product, campaign, ad, form }
}

const maxImports = 20

/** The newest imports that the actor sees, whatever became of their leads. */
export async function listImportChoices(database: Database, actor: Actor): Promise<LeadChoices['imports']> {
  const rows = await readAsActor(
    database,
    actor,
    (tx) => tx<{ id: string; file: string; started_at: Date }[]>`select id, file, started_at from lead_imports
      where account_id = ${actor.account_id} and id is not null order by started_at desc, id desc limit ${maxImports}`,
  )
  return rows.map(({ id, file, started_at }) => ({ id, file, at: instantText(started_at) }))
}

/** The questions in the enquiries of the newest leads that the actor sees, the most frequent first. */
export async function listQuestions(database: Database, actor: Actor): Promise<string[]> {
  return readAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const leads = tx`select id from (${newestOf(tx, actor, newestWithQuestions)}) newest`
    const limits = { length: maxQuestionLength, limit: maxQuestions }
    return frequentQuestions(tx, actor.account_id, leads, limits)
  })
}
