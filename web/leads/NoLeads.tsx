import { Button, EmptyState } from '@mantine/core'
import { IconAddressBook, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { describeDays, hasDays } from '../ui/days.ts'
import { everything, isFiltered } from './LeadFilters.tsx'
import styles from './LeadsPage.module.css'
import { daysOf, type LeadListSearch, ofAllTime } from './lead-search.ts'
import { choicesQuery } from './queries.ts'
import { useListSearch } from './use-list-search.ts'

/** Says why the list is empty, and what to do. */
export function NoLeads({ search }: { search: LeadListSearch }) {
  const { choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)

  if (search.offset) return <FirstPage title="No leads on this page" description="The list is shorter." />
  if (choices?.sources.length === 0) return <NoneYet />
  if (!isFiltered(search))
    return (
      <EmptyState
        py={64}
        icon={<IconAddressBook />}
        title="No leads in the last 30 days"
        description="Older leads are not shown."
      >
        <Button variant="default" onClick={() => choose(ofAllTime)}>
          Show all leads
        </Button>
      </EmptyState>
    )
  const isOfSomeDays = describeDays(daysOf(search)) !== null
  return (
    <EmptyState
      py={64}
      icon={<IconFilterOff />}
      title={search.search ? `No leads match “${search.search}”` : 'No leads match these filters'}
      description={
        search.search
          ? 'Search finds words of names, companies, cities and tags, emails and phones that start with your text, and the last four digits of a phone.'
          : isOfSomeDays && !hasDays(search)
            ? 'The list shows leads created in the last 30 days.'
            : undefined
      }
    >
      <EmptyState.Actions className={styles.actions}>
        {isOfSomeDays && (
          <Button variant="default" onClick={() => choose(ofAllTime)}>
            Search all time
          </Button>
        )}
        <Button variant="default" onClick={() => choose(everything)}>
          {search.search ? 'Clear search and filters' : 'Clear filters'}
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
      title="No leads yet"
      description={
        role === 'Agent'
          ? 'Leads assigned to you appear here.'
          : 'Add a lead, import a file, or connect a webhook or the API.'
      }
    >
      <EmptyState.Actions className={styles.actions}>
        <Button onClick={add}>Add lead</Button>
        {role !== 'Agent' && (
          <Button component={Link} to="/leads/import" variant="default">
            Import a file
          </Button>
        )}
        {role === 'Admin' && (
          <>
            <Button component={Link} to="/settings/webhooks" variant="default">
              Set up a webhook
            </Button>
            <Button component={Link} to="/first-request" variant="default">
              API quick start
            </Button>
          </>
        )}
      </EmptyState.Actions>
    </EmptyState>
  )
}

/** The server does not scan ten thousand rows and more for a page. */
export const TooFar = () => (
  <FirstPage
    title="This page is too far down the list"
    description="Use a filter or a search, or sort by newest first."
  />
)

function FirstPage(words: { title: string; description: string }) {
  const { choose } = useListSearch()
  return (
    <EmptyState py={64} {...words}>
      <Button variant="default" onClick={() => choose({ offset: undefined })}>
        Go to the first page
      </Button>
    </EmptyState>
  )
}
