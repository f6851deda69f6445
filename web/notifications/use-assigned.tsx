import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { addToTitleCount, clearTitleCount } from '../ui/title.ts'
import { useOnVisible } from '../ui/use-on-visible.ts'
import { type Assigned, assignedQuery } from './queries.ts'

/** Shows leads that come to the user: on a visible page as a notification, on a hidden one as a number in its title. */
export function useAssigned() {
  const { data } = useQuery(assignedQuery)
  const navigate = useNavigate()
  useEffect(() => {
    if (!data || data.came.length === 0) return
    if (!document.hidden) {
      return show(data.came, (leadId) =>
        leadId ? void navigate({ to: '/leads/$leadId', params: { leadId } }) : void navigate({ to: '/leads' }),
      )
    }
    addToTitleCount(data.came.length)
  }, [data, navigate])
  useOnVisible(clearTitleCount)
}

/** Notifications are outside of the router, where links of it do not work. */
function show(came: Assigned['came'], open: (leadId: string | null) => void) {
  const [first] = came
  const leadId = came.length === 1 ? first!.lead_id : null
  const id = `assigned ${first!.id}`
  notifications.show({
    id,
    title: leadId ? 'New lead' : `${came.length} new leads`,
    message: (
      <Anchor
        href={leadId ? `/leads/${leadId}` : '/leads'}
        onClick={(event) => {
          event.preventDefault()
          notifications.hide(id)
          open(leadId)
        }}
      >
        {leadId ? first!.name : `${first!.name} and ${came.length - 1} more`}
      </Anchor>
    ),
    autoClose: 12_000,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}
