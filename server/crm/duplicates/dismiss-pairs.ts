import { msg } from '@lingui/core/runtime-macro'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, actAs, asActor, forWholeAccount } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound } from '../../platform/http/problem.ts'
import type { LeadPair } from './contract.ts'

/** Removes pairs of leads that the actor sees from the possible duplicates, permanently: all of them, or none. */
export async function dismissPairs(database: Database, actor: Actor, pairs: LeadPair[], at: Date): Promise<void> {
  const { account_id } = actor
  await asActor(database, actor, async (tx) => {
    const ids = pairs.flatMap(({ lead_id, other_id }) => [lead_id, other_id])
    const leads = await tx<{ id: string }[]>`
      select id from leads where account_id = ${account_id} and id = any (${ids}::uuid[])`
    const seen = new Set(leads.map(({ id }) => id))
    for (const [place, pair] of pairs.entries())
      for (const [name, id] of Object.entries(pair)) {
        const field = `pairs.${place}.${name}`
        if (!seen.has(id.toLowerCase())) throw notFound(msg`No lead with this ${{ field }}.`, field)
      }

    await actAs(tx, forWholeAccount(actor))
    for (const pair of pairs) {
      const [first, second] = [pair.lead_id, pair.other_id].map((id) => id.toLowerCase()).sort()
      const { count } = await tx`update lead_conflicts set dismissed_at = ${at}
        where account_id = ${account_id} and lead_id = ${first!} and other_lead_id = ${second!} and dismissed_at is null`
      if (count === 0) continue
      const details = { other_lead: pair.other_id }
      await recordAudit(tx, actor, { action: 'lead.duplicate_dismissed', subject_id: pair.lead_id, details })
    }
  })
}
