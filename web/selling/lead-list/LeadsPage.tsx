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
import { useListPosition } from './use-list-position.ts'

const AddLead = lazy(() => import('../../crm/leads/AddLead.tsx').then((add) => ({ default: add.AddLead })))

/** The list. A lead opens beside it if there is room, else instead of it. */
export function LeadsPage() {
  const { search, leadId, add } = useListSearch()
  const wide = useWide()
  useListPosition(leadId, wide)
  useAddKey(add)
  const adding = search.add !== undefined
  const noteOpener = useReturnFocus(adding)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a lead opens, from anywhere
  useLayoutEffect(() => {
    if (adding) noteOpener()
  }, [adding])
  // The form stays while it closes.
  const added = useRef(search.add)
  added.current = search.add ?? added.current
  const typed = typeof added.current === 'string' ? added.current : undefined

  return (
    <>
      {leadId === undefined && <ListTitle />}
      <div className={styles.split} data-open={(wide && leadId !== undefined) || undefined}>
        {(wide || leadId === undefined) && <LeadList />}
        {leadId !== undefined && (wide ? <Beside leadId={leadId} /> : <Outlet />)}
      </div>
      {added.current !== undefined && (
        <Suspense>
          <AddLead key={typed} opened={adding} typed={typed} />
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
