import { t } from '@lingui/core/macro'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { useListSearch } from '../../crm/leads/use-list-search.ts'
import { useTitle } from '../../platform/ui/Page.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { useReturnFocus } from '../../platform/ui/return-focus.ts'
import { useWide } from '../../platform/ui/screen-size.ts'
import { LeadList } from './LeadList.tsx'
import styles from './LeadsPage.module.css'
import { useCloseLead } from './use-close-lead.ts'
import { useListPosition } from './use-list-position.ts'

const AddLead = lazy(() => import('../../crm/leads/AddLead.tsx').then((add) => ({ default: add.AddLead })))

/** The list. A lead opens beside it if there is room, else instead of it. */
export function LeadsPage() {
  const { search, leadId, add } = useListSearch()
  const wide = useWide()
  useListPosition(leadId, wide)
  useCloseLead(leadId)
  useAddKey(add)
  const adding = search.add === true
  const noteOpener = useReturnFocus(adding)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a lead opens, from anywhere
  useLayoutEffect(() => {
    if (adding) noteOpener()
  }, [adding])
  const wasAdding = useRef(false)
  wasAdding.current ||= adding

  return (
    <>
      {leadId === undefined && <ListTitle />}
      <div className={styles.split} data-open={(wide && leadId !== undefined) || undefined}>
        {(wide || leadId === undefined) && <LeadList />}
        {leadId !== undefined && (wide ? <Beside leadId={leadId} /> : <Outlet />)}
      </div>
      {wasAdding.current && (
        <Suspense>
          <AddLead opened={adding} />
        </Suspense>
      )}
    </>
  )
}

/** The title of the list. An open lead sets its own. */
function ListTitle() {
  useTitle(t`Leads`)
  return null
}

function Beside({ leadId }: { leadId: string }) {
  const frame = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the top for another lead
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: 0 })
  }, [leadId])
  return (
    <section ref={frame} className={styles.lead} aria-label={t`Open lead`}>
      <Outlet />
    </section>
  )
}
