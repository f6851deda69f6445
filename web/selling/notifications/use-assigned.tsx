import { plural, t } from '@lingui/core/macro'
import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { enquiryLine } from '#contract/crm/enquiries'
import type { Notices } from '#contract/selling/notifications'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { addToTitleCount, clearTitleCount } from '../../platform/ui/title.ts'
import { useOnVisible } from '../../platform/ui/use-on-visible.ts'
import { assignedQuery } from './queries.ts'

/** Shows leads that come to the user, and those that enquire again: on a visible page as a notification, on a hidden one as a number in its title. */
export function useAssigned() {
  const { data } = useQuery(assignedQuery)
  const navigate = useNavigate()
  const shownUntil = useRef(data?.newest ?? 0)
  useEffect(() => {
    const came = data?.notices.filter(({ id }) => id > shownUntil.current) ?? []
    shownUntil.current = Math.max(shownUntil.current, data?.newest ?? 0)
    if (came.length === 0) return
    if (!document.hidden) {
      const open = (leadId: string | null) =>
        leadId ? void navigate({ to: '/leads/$leadId', params: { leadId } }) : void navigate({ to: '/leads' })
      const notes = came.filter(isOf('submission'))
      const passedOn = came.filter(isOf('passed_on'))
      const offered = came.filter(isOf('offered'))
      const leads = came.filter((one) => !shownApart.some((kind) => isOf(kind)(one)))
      if (leads.length > 0) show(leads, titleOf(leads), open)
      if (offered.length > 0) show(offered, offeredTitle(offered.length), () => void navigate({ to: '/queue' }))
      // Its owner before may not open the lead.
      if (passedOn.length > 0) show(passedOn, passedOnTitle(passedOn.length), () => open(null))
      for (const note of notes) show([note], t`New note from ${{ name: note.user! }}`, open)
      return
    }
    addToTitleCount(came.length)
  }, [data, navigate])
  useOnVisible(clearTitleCount)
}

type Came = Notices['notices'][number]

/** The others are new leads and enquiries, in one message. */
const shownApart = ['submission', 'passed_on', 'offered']

const isOf = (kind: string) => (one: Came) => one.kind === kind

/** Notifications are outside of the router, where links of it do not work. */
function show(came: Came[], title: string, open: (leadId: string | null) => void) {
  const [first] = came
  const count = countOf(came)
  const leadId = count === 1 && first!.kind !== 'passed_on' && first!.kind !== 'offered' ? first!.lead_id : null
  const id = `assigned ${first!.id}`
  notifications.show({
    id,
    title,
    message: (
      <Anchor
        href={leadId ? `/leads/${leadId}` : first!.kind === 'offered' ? '/queue' : '/leads'}
        onClick={(event) => {
          event.preventDefault()
          notifications.hide(id)
          open(leadId)
        }}
      >
        {count === 1 ? textOf(first!) : t`${{ name: first!.name }} and ${{ count: formatNumber(count - 1) }} more`}
      </Anchor>
    ),
    autoClose: 12_000,
    closeButtonProps: { 'aria-label': t`Close` },
  })
}

/** Leads that came by one bulk change are listed by one of them. */
const countOf = (came: Came[]) => came.reduce((sum, { leads }) => sum + leads, 0)

function titleOf(came: Came[]): string {
  const count = countOf(came)
  if (came.some(isOf('assigned_in_bulk')))
    return plural(count, { one: '# lead was assigned to you', other: '# leads were assigned to you' })
  const again = came.filter(isOf('enquired_again')).length
  if (again === came.length) return plural(again, { one: 'Enquired again', other: '# leads enquired again' })
  if (again > 0) return t`${{ count: formatNumber(came.length) }} new leads and enquiries`
  return plural({ count: came.length }, { one: 'New lead', other: '# new leads' })
}

const passedOnTitle = (count: number) => plural(count, { one: 'Lead passed on', other: '# leads passed on' })

const offeredTitle = (count: number) => plural(count, { one: 'New lead to claim', other: '# new leads to claim' })

function textOf({ kind, name, user, enquiry }: Came): string {
  if (kind === 'passed_on')
    return user ? t`${name} was not called in time. New owner: ${{ owner: user }}` : t`${name} was not called in time.`
  const wanted = enquiry && enquiryLine(enquiry)
  if (kind === 'enquired_again')
    return wanted ? t`${name} enquired again: ${{ message: wanted }}` : t`${name} enquired again`
  return wanted ? `${name} · ${wanted}` : name
}
