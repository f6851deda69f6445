import { useHotkeys } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { somethingAbove } from '../ui/above.ts'
import { useWide } from '../ui/narrow.ts'
import { useTitle } from '../ui/Page.tsx'
import { LeadList } from './LeadList.tsx'
import styles from './LeadsPage.module.css'
import { useChoosing } from './use-choosing.ts'
import { useCloseLead } from './use-close-lead.ts'
import { useListPlace } from './use-list-place.ts'

const AddLead = lazy(() => import('./AddLead.tsx').then((add) => ({ default: add.AddLead })))

/** The list; a lead opens beside it where there is room, else in its place. */
export function LeadsPage() {
  const { search, leadId, choose } = useChoosing()
  const wide = useWide()
  useListPlace(leadId, wide)
  useCloseLead(leadId)
  useHotkeys([['n', () => !somethingAbove() && choose({ add: true }, { quietly: true })]])
  const wasAdding = useRef(false)
  wasAdding.current ||= search.add === true

  return (
    <>
      {leadId === undefined && <ListTitle />}
      <div className={styles.split} data-open={(wide && leadId !== undefined) || undefined}>
        {(wide || leadId === undefined) && <LeadList />}
        {leadId !== undefined && (wide ? <Beside leadId={leadId} /> : <Outlet />)}
      </div>
      {wasAdding.current && (
        <Suspense>
          <AddLead opened={search.add === true} />
        </Suspense>
      )}
    </>
  )
}

/** The lead has its own; this one is back when it closes. */
function ListTitle() {
  useTitle('Leads')
  return null
}

function Beside({ leadId }: { leadId: string }) {
  const frame = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another lead is read from its beginning
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: 0 })
  }, [leadId])
  return (
    <section ref={frame} className={styles.lead} aria-label="Open lead">
      <Outlet />
    </section>
  )
}
