import type { CallPreview } from '#contract/telephony/calls'
import { queryClient } from '../../platform/api/query.ts'
import { CutText } from '../../platform/ui/CutText.tsx'
import { callQuery } from '../../telephony/calls/queries.ts'
import styles from './Lead.module.css'

/** The notes of a call: their beginning, and the rest on demand. */
export function CallNotes({
  call: { id, notes, notes_cut },
}: {
  call: Pick<CallPreview, 'id' | 'notes' | 'notes_cut'>
}) {
  if (!notes) return null
  const load = async () => (await queryClient.fetchQuery(callQuery(id))).notes
  return (
    <div className={styles.callNotes}>
      <CutText shown={notes} isCut={notes_cut} load={load} />
    </div>
  )
}
