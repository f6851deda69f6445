import { type Actor, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'

/** The source labels of the leads that the actor sees, the most used first. */
export async function sourcesOf(database: Database, actor: Actor): Promise<string[]> {
  const rows = await readAsActor(
    database,
    actor,
    (tx) => tx<{ source: string }[]>`select source from lead_counts where account_id = ${actor.account_id}
      group by source having sum(n) > 0 order by sum(n) desc, source limit 200`,
  )
  return rows.map(({ source }) => source)
}
