import { Button, EmptyState } from '@mantine/core'
import { IconAddressBook, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../me.ts'
import { allTime, hasDays, noDays } from '../ui/days.ts'
import { choicesQuery } from './choices.ts'
import { everything, isFiltered } from './LeadFilters.tsx'
import styles from './LeadsPage.module.css'
import type { LeadListSearch } from './lead-search.ts'
import { useListSearch } from './use-list-search.ts'

/** Why there is nothing in the list, and the step that fills it. */
export function NoLeads({ search }: { search: LeadListSearch }) {
  const { choose } = useListSearch()
  const { data: choices } = useQuery(choicesQuery)

  if (search.offset) return <FirstPage title="There are no leads on this page" description="The list ends before it." />
  if (choices?.sources.length === 0) return <NoneYet />
  if (!isFiltered(search))
    return (
      <EmptyState
        py={64}
        icon={<IconAddressBook />}
        title="No leads came in the last 30 days"
        description="Older ones are still there."
      >
        <Button variant="default" onClick={() => choose({ days: allTime })}>
          Show leads of all time
        </Button>
      </EmptyState>
    )
  const withDays = hasDays(search)
  return (
    <EmptyState
      py={64}
      icon={<IconFilterOff />}
      title={search.search ? `Nothing found for “${search.search}”` : 'No lead fits these filters'}
      description={
        search.search
          ? 'A search finds the beginning of a name, of an email or, from two digits on, of a phone.'
          : withDays
            ? undefined
            : 'The list holds the leads of the last 30 days.'
      }
    >
      <EmptyState.Actions className={styles.actions}>
        {!search.search && !withDays && (
          <Button variant="default" onClick={() => choose({ ...noDays, days: allTime })}>
            Look through all time
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
          ? 'The leads assigned to you will be here, whether they are added by hand, by a program or by a webhook.'
          : 'Leads will be here as they come: added by hand, from a file, from a program or from a webhook.'
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

/** Nobody reads ten thousand rows: the server refuses to walk so far. */
export const TooFar = () => (
  <FirstPage
    title="The list does not go that far in this order"
    description="Choose fewer leads by a filter or a search, or sort by newest first."
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
