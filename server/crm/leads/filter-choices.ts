import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { readCounts } from '../counts/read-counts.ts'
import { leadCounts } from '../counts/tables.ts'

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

/** Tags and cities are taken from so many of the newest leads: any others can be typed. */
const newest = 2000
const maxChoices = 100

/** The tags and cities of the newest leads that the actor sees, the most used first. */
export async function listTagsAndCities(
  database: Database,
  actor: Actor,
): Promise<{ tags: string[]; cities: string[] }> {
  const { account_id, sees } = actor
  // The newest of each owner: an index has them in order.
  const leads = (tx: TransactionSql) =>
    sees === 'all'
      ? tx`select tags, city from leads where account_id = ${account_id} order by created_at desc, id desc limit ${newest}`
      : tx`select theirs.* from unnest(${sees as string[]}::uuid[]) as owner (id), lateral (
          select tags, city from leads where account_id = ${account_id} and assigned_to = owner.id
          order by created_at desc, id desc limit ${Math.ceil(newest / Math.max(sees.length, 1))}
        ) theirs`
  const rows = await readAsActor(database, actor, async (tx) => {
    await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    return tx<{ field: 'tag' | 'city'; value: string }[]>`
      with newest as materialized (${leads(tx)})
      (select 'tag' as field, mode() within group (order by tag) as value from newest, unnest(tags) as tag
        group by lower(tag) order by count(*) desc, lower(tag) limit ${maxChoices})
      union all
      (select 'city', city from newest where city is not null group by city order by count(*) desc, city limit ${maxChoices})`
  })
  const valuesOf = (wanted: 'tag' | 'city') => rows.filter(({ field }) => field === wanted).map(({ value }) => value)
  return { tags: valuesOf('tag'), cities: valuesOf('city') }
}
