import { Button, Group, Stack, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ListedLead } from '#contract/leads'
import { ApiProblem, type Page as PageOf } from '../api.ts'
import { formatCount } from '../ui/numbers.ts'
import { Page } from '../ui/Page.tsx'
import { Pager } from '../ui/Pager.tsx'
import { Problem } from '../ui/Problem.tsx'
import { RateLimitNotice } from '../ui/RateLimitNotice.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useTight } from '../ui/screen-size.ts'
import { ImportExportMenu } from './ImportExportMenu.tsx'
import { LeadFilters } from './LeadFilters.tsx'
import { LeadTable } from './LeadTable.tsx'
import { NoLeads, TooFar } from './NoLeads.tsx'
import { choicesQuery, leadListQuery, leadsPerPage } from './queries.ts'
import { useListSearch } from './use-list-search.ts'

export function LeadList() {
  const { search, leadId, choose, add } = useListSearch()
  const { data: page, error, failureReason, refetch, isFetching, isPlaceholderData } = useQuery(leadListQuery(search))
  const beside = leadId !== undefined
  const squeezed = useTight() || beside
  const onSearch = useCallback(
    (text: string) => choose({ search: text || undefined, offset: undefined }, { quietly: true }),
    [choose],
  )
  // Without leads there is nothing to search: the message replaces the rows.
  const noneYet = useQuery(choicesQuery).data?.sources.length === 0 && page?.data.length === 0
  const searchField = <SearchField label="Name, phone or email" value={search.search ?? ''} onSearch={onSearch} />
  const filters = squeezed ? (
    <Group gap={8} wrap="nowrap">
      {searchField}
      <LeadFilters folded />
    </Group>
  ) : (
    <LeadFilters folded={false} />
  )
  const tooFar = error instanceof ApiProblem && error.field === 'offset'
  const found = page && countedOf(page)

  return (
    <Page
      title="Leads"
      wide
      actions={
        !noneYet && (
          <>
            {!squeezed && searchField}
            <ImportExportMenu search={search} found={found} folded={squeezed} />
            <Button leftSection={<IconPlus size={16} />} onClick={add}>
              Add lead
            </Button>
          </>
        )
      }
    >
      <Stack gap={16}>
        {!noneYet && filters}
        <VisuallyHidden role="status">
          {found && !isPlaceholderData && `${found.capped ? 'More than ' : ''}${formatCount(found.total, 'lead')}`}
        </VisuallyHidden>
        {tooFar ? <TooFar /> : <Problem error={error} retry={() => void refetch()} />}
        {!error && <RateLimitNotice reason={failureReason} />}
        {(page || !error) && (
          <LeadTable
            leads={page?.data}
            openId={leadId}
            byChange={search.sort === 'updated'}
            busy={isFetching && isPlaceholderData}
            empty={<NoLeads search={search} />}
          />
        )}
        {page && found && page.data.length > 0 && (
          <Pager
            offset={page.pagination.offset}
            limit={leadsPerPage}
            shown={page.data.length}
            {...found}
            onGo={(to) => choose({ offset: to || undefined })}
          />
        )}
      </Stack>
    </Page>
  )
}

/** If the total is only a lower limit, the last page shows the exact one. */
function countedOf({ data, pagination }: PageOf<ListedLead>) {
  const { total, total_capped, has_more, offset } = pagination
  if (total_capped && !has_more) return { total: offset + data.length, capped: false }
  return { total, capped: total_capped ?? false }
}
