import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState } from '@mantine/core'
import { IconAddressBook, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../access/account/me.ts'
import { everything, isFiltered } from '../../crm/leads/LeadFilters.tsx'
import type { LeadListSearch } from '../../crm/leads/lead-search.ts'
import { daysOf, ofAllTime } from '../../crm/leads/listed-days.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { useListSearch } from '../../crm/leads/use-list-search.ts'
import { describeDays, hasDays } from '../../platform/ui/days.ts'
import styles from './LeadsPage.module.css'

/** Says why the list is empty, and what to do. */
export function NoLeads({ search }: { search: LeadListSearch }) {
  const { choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)

  if (search.offset) return <FirstPage title={t`No leads on this page`} description={t`The list is shorter.`} />
  if (choices?.sources.length === 0) return <NoneYet />
  if (!isFiltered(search))
    return (
      <EmptyState
        py={64}
        icon={<IconAddressBook />}
        title={t`No leads in the last 30 days`}
        description={t`Older leads are not shown.`}
      >
        <Button variant="default" onClick={() => choose(ofAllTime)}>
          <Trans>Show all leads</Trans>
        </Button>
      </EmptyState>
    )
  const isOfSomeDays = describeDays(daysOf(search)) !== null
  return (
    <EmptyState
      py={64}
      icon={<IconFilterOff />}
      title={search.search ? t`No leads match “${{ search: search.search }}”` : t`No leads match these filters`}
      description={
        search.search
          ? t`Search finds words of names, companies, cities and tags, emails and phones that start with your text, the last four digits of a phone, and whole words of answers, products and campaigns.`
          : isOfSomeDays && !hasDays(search)
            ? t`The list shows leads created in the last 30 days.`
            : undefined
      }
    >
      <EmptyState.Actions className={styles.actions}>
        {isOfSomeDays && (
          <Button variant="default" onClick={() => choose(ofAllTime)}>
            <Trans>Search all time</Trans>
          </Button>
        )}
        <Button variant="default" onClick={() => choose(everything)}>
          {search.search ? t`Clear search and filters` : t`Clear filters`}
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  )
}

function NoneYet() {
  const { add } = useListSearch()
  const { role } = useMe()
  return (
    <EmptyState
      py={64}
      icon={<IconAddressBook />}
      title={t`No leads yet`}
      description={
        role === 'Agent'
          ? t`Leads assigned to you appear here.`
          : t`Add a lead, import a file, or connect a source with a webhook.`
      }
    >
      <EmptyState.Actions className={styles.actions}>
        <Button onClick={add}>
          <Trans>Add lead</Trans>
        </Button>
        {role !== 'Agent' && (
          <Button component={Link} to="/leads/import" variant="default">
            <Trans>Import a file</Trans>
          </Button>
        )}
        {role === 'Admin' && (
          <Button component={Link} to="/settings/webhooks" variant="default">
            <Trans>Set up a webhook</Trans>
          </Button>
        )}
      </EmptyState.Actions>
    </EmptyState>
  )
}

/** The server does not scan ten thousand rows and more for a page. */
export const TooFar = () => (
  <FirstPage
    title={t`This page is too far down the list`}
    description={t`Use a filter or a search, or sort by newest first.`}
  />
)

function FirstPage(words: { title: string; description: string }) {
  const { choose } = useListSearch()
  return (
    <EmptyState py={64} {...words}>
      <Button variant="default" onClick={() => choose({ offset: undefined })}>
        <Trans>Go to the first page</Trans>
      </Button>
    </EmptyState>
  )
}
