import { msg } from '@lingui/core/runtime-macro'
import { type Actor, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, notFound } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { fieldsOf } from '../leads/change-lead.ts'
import { readLeadPage } from '../leads/lead-page.ts'
import { findLead, nextStepOf } from '../leads/store.ts'
import { chooseFields } from './choose-fields.ts'

/** Returns two leads that the actor sees side by side, as JSON, with the fields that a merge takes of the other one by default. */
export async function compareLeads(
  database: Database,
  actor: Actor,
  { keptId, otherId, language }: { keptId: string; otherId: string; language: Language },
): Promise<string> {
  if (keptId === otherId) throw invalid(msg`${{ field: 'other_id' }} must be another lead.`, 'other_id')
  const { account_id } = actor
  return readAsActor(database, actor, async (tx) => {
    const read = async (id: string, field?: string) => {
      const lead = await findLead(tx, account_id, id)
      const page = await readLeadPage(tx, account_id, id, language)
      if (!lead || page === null) {
        throw field ? notFound(msg`No lead with this ${{ field }}.`, field) : notFound(msg`No lead with this id.`)
      }
      const { created_at, updated_at } = lead
      const compared = {
        ...fieldsOf(lead),
        created_at,
        updated_at,
        call_again_at: (await nextStepOf(tx, account_id, id)).call_again_at,
      }
      return { compared, page }
    }
    const [kept, other] = [await read(keptId), await read(otherId, 'other_id')]
    const take = chooseFields(kept.compared, other.compared)
    return `{"data":{"kept":${kept.page},"other":${other.page},"take":${JSON.stringify(take)}}}`
  })
}
