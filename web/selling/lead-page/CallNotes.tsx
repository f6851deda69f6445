import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallPreview } from '#contract/telephony/calls'
import { Problem } from '../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import { callQuery } from '../../telephony/calls/queries.ts'
import styles from './Lead.module.css'

/** The notes of a call: their beginning, and the rest on demand. */
export function CallNotes({ call }: { call: Pick<CallPreview, 'id' | 'notes' | 'notes_cut'> }) {
  const [isWhole, setWhole] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...callQuery(call.id), enabled: isWhole })
  if (!call.notes) return null
  return (
    <>
      <div className={styles.callNotes}>{data?.notes ?? call.notes}</div>
      {call.notes_cut && !data && (
        <WaitingButton
          variant="subtle"
          size="compact-sm"
          mih={32}
          waiting={isFetching}
          onClick={() => (isWhole ? void refetch() : setWhole(true))}
        >
          <Trans>Show all</Trans>
        </WaitingButton>
      )}
      <Problem error={error} />
    </>
  )
}
