import { plural, t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import type { ImportUndo, LeadImport } from '#contract/intake/lead-import'
import { leadKeys } from '../../crm/leads/keys.ts'
import { refreshLeads } from '../../crm/leads/queries.ts'
import { type Data, get, post } from '../../platform/api/api.ts'
import { live } from '../../platform/live/refresh.ts'
import { formatNumber } from '../../platform/ui/numbers.ts'

const isGoing = ({ state, undo }: LeadImport) => (undo ? undo.state === 'undoing' : state === 'running')

/** The newest imports: for Managers their own. */
export const importsQuery = queryOptions({
  queryKey: leadKeys.imports,
  queryFn: async () => (await get<Data<LeadImport[]>>('/web/leads/imports')).data,
  meta: live,
  refetchInterval: ({ state }) => (state.data?.some(isGoing) ? 1000 : false),
})

export async function undoImport(id: string): Promise<void> {
  await post(`/web/leads/imports/${id}/undo`)
  await refreshLeads()
}

/** "2,778 rows: 2,000 leads created, 700 rows merged, 78 rejected" */
export function importText({ state, rows, created, merged, rejected, calls }: LeadImport): string {
  const counts = [
    plural(created, { one: '# lead created', other: '# leads created' }),
    merged > 0 && plural(merged, { one: '# row merged', other: '# rows merged' }),
    rejected > 0 && t`${{ rejected: formatNumber(rejected) }} rejected`,
    calls > 0 && plural(calls, { one: '# call', other: '# calls' }),
  ]
    .filter(Boolean)
    .join(', ')
  const all = plural(rows, { one: '# row', other: '# rows' })
  if (state === 'running') return t`Importing ${all}: ${counts}`
  return state === 'interrupted'
    ? t`${all}, interrupted: ${counts}. Import the file again to continue.`
    : t`${all}: ${counts}`
}

/** "Undone by Asha: 2,000 leads deleted, 12 stay (2 called, 10 changed)" */
export function undoText({ user, state, total, error, ...undo }: ImportUndo): string {
  const { deleted, restored, called, merged, changed, gone } = undo
  const kept = called + merged + changed + gone
  const why = [
    called > 0 && t`${{ count: formatNumber(called) }} called since`,
    merged > 0 && t`${{ count: formatNumber(merged) }} sent or merged again since`,
    changed > 0 && t`${{ count: formatNumber(changed) }} changed since`,
    gone > 0 && t`${{ count: formatNumber(gone) }} deleted or not visible`,
  ]
    .filter(Boolean)
    .join(', ')
  const counts = [
    t`${plural(deleted, { one: '# lead', other: '# leads' })} deleted`,
    restored > 0 && t`${plural(restored, { one: '# lead', other: '# leads' })} restored`,
    kept > 0 && t`${plural(kept, { one: '# lead', other: '# leads' })} kept (${why})`,
  ]
    .filter(Boolean)
    .join(', ')
  const who = user ?? t`A user`
  if (state === 'undoing')
    return t`${who} undoes it: ${{ done: formatNumber(deleted + restored + kept) }} of ${plural(total, { one: '# lead', other: '# leads' })}`
  return state === 'stopped'
    ? t`The undo stopped: ${{ reason: String(error) }} ${counts}`
    : t`Undone by ${who}: ${counts}`
}
