import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { hashKey, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { areAllClosed, type ListedLead } from '#contract/crm/leads'
import { LeadFilters } from '../../crm/leads/LeadFilters.tsx'
import { choicesQuery, leadListQuery, leadsPerPage } from '../../crm/leads/queries.ts'
import { useListSearch } from '../../crm/leads/use-list-search.ts'
import { useSelection } from '../../crm/leads/use-selection.ts'
import { useShownColumns } from '../../crm/views/use-shown-columns.ts'
import { questionsOf, timeOf, valuesOf } from '../../crm/views/view-search.ts'
import { ApiProblem, type Page as PageOf } from '../../platform/api/api.ts'
import { useOwnChange } from '../../platform/live/refresh.ts'
import { LoadMore } from '../../platform/ui/LoadMore.tsx'
import { NewRows } from '../../platform/ui/NewRows.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Pager } from '../../platform/ui/Pager.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { RateLimitNotice } from '../../platform/ui/RateLimitNotice.tsx'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import { useNarrow, useTight } from '../../platform/ui/screen-size.ts'
import { useHeldRows } from '../../platform/ui/use-held-rows.ts'
import { useMoreRows } from '../../platform/ui/use-more-rows.ts'
import { ImportExportMenu } from './ImportExportMenu.tsx'
import { LeadCount } from './LeadCount.tsx'
import { LeadTable } from './LeadTable.tsx'
import { NoLeads, TooFar } from './NoLeads.tsx'

const SelectionBar = lazy(() => import('../../crm/bulk-changes/SelectionBar.tsx'))

const ViewBar = lazy(() => import('../../crm/views/ViewBar.tsx'))

export function LeadList() {
  const { search, leadId, choose, add } = useListSearch()
  const { shown } = useShownColumns()
  const { query, loadFrom } = leadListQuery(search, {
    question: questionsOf(shown),
    with: valuesOf(shown, search.sort),
  })
  const { queryKey } = query
  const loaded = useQuery(query)
  const { data: page, error, failureReason, refetch, isFetching, isPlaceholderData } = loaded
  const onPhone = useNarrow()
  const held = useHeldRows(loaded, hashKey(queryKey), useOwnChange())
  const { rows, added, show, more } = useMoreRows({ isOn: onPhone, queryKey, loaded, held, loadFrom })
  const selection = useSelection(search, rows)
  const byChange = timeOf(search.sort) !== 'created'
  const beside = leadId !== undefined
  const squeezed = useTight() || beside
  const onSearch = useCallback(
    (text: string) => choose({ search: text || undefined, offset: undefined }, { quietly: true }),
    [choose],
  )
  // Without leads there is nothing to search: the message replaces the rows.
  const noneYet = useQuery(choicesQuery).data?.sources.length === 0 && page?.data.length === 0
  const enterResults = useEnterResults(search.search ?? '', page !== undefined && !isPlaceholderData)
  const searchField = (
    <SearchField
      label={t`Name, phone, company, tag…`}
      value={search.search ?? ''}
      onSearch={onSearch}
      onLeave={enterResults}
    />
  )
  const filters = squeezed ? (
    <Group gap={8} wrap="nowrap">
      {searchField}
      <LeadFilters folded />
    </Group>
  ) : (
    <LeadFilters folded={false} />
  )
  const goBeyond = useNextPage(page, isPlaceholderData)
  const tooFar = error instanceof ApiProblem && error.field === 'offset'
  const found = page && countedOf(page)

  return (
    <Page
      title={t`Leads`}
      wide
      actions={
        !noneYet && (
          <>
            {!squeezed && searchField}
            <ImportExportMenu search={search} found={found} folded={squeezed} />
            <Button leftSection={<IconPlus size={16} />} onClick={add}>
              <Trans>Add lead</Trans>
            </Button>
          </>
        )
      }
    >
      <Stack gap={16}>
        {!noneYet && filters}
        <Group justify="space-between" gap={8} mih={30}>
          <LeadCount
            found={isPlaceholderData ? undefined : found}
            withDays={squeezed}
            select={selection.isOpen ? undefined : selection}
          />
          <Suspense>{!noneYet && !beside && <ViewBar />}</Suspense>
        </Group>
        {tooFar ? <TooFar /> : <Problem error={error} retry={() => void refetch()} />}
        {!error && <RateLimitNotice reason={failureReason} />}
        <div>
          <NewRows label={added > 0 && !search.offset ? addedText(added, byChange) : null} onShow={show} />
          {(page || !error) && (
            <LeadTable
              leads={rows}
              openId={leadId}
              showsEnquiries={search.follow_up === 'enquired_again' || search.follow_up === 'to_answer'}
              sorted={{
                sort: search.sort ?? 'newest',
                reverse: search.reverse === true,
                byClosing: areAllClosed(search),
                onSort: (sort, reverse) =>
                  choose({
                    sort: sort === 'newest' ? undefined : sort,
                    reverse: reverse || undefined,
                    offset: undefined,
                  }),
              }}
              busy={isFetching && isPlaceholderData}
              onBeyond={onPhone ? (by) => by > 0 && more.ask() : goBeyond}
              selection={selection}
              empty={<NoLeads search={search} />}
            />
          )}
        </div>
        {page && found && page.data.length > 0 && onPhone && (
          <LoadMore more={more} {...found} onGo={(to) => choose({ offset: to || undefined })} />
        )}
        {page && found && page.data.length > 0 && !onPhone && (
          <Pager
            offset={page.pagination.offset}
            limit={leadsPerPage}
            shown={page.data.length}
            {...found}
            onGo={(to) => choose({ offset: to || undefined })}
          />
        )}
        {found && selection.isOpen && (
          <Suspense>
            <SelectionBar search={search} selection={selection} found={found} />
          </Suspense>
        )}
      </Stack>
    </Page>
  )
}

/** Returns a function that moves the focus to the first result of a search, once it is there. */
function useEnterResults(searched: string, isLoaded: boolean) {
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (wanted === null || wanted !== searched || !isLoaded) return
    setWanted(null)
    document.querySelector<HTMLElement>('[data-row] a')?.focus()
  }, [wanted, searched, isLoaded])
  return setWanted
}

/** Returns a function that goes to the next page or the one before, and to its first or last lead. */
function useNextPage(page: PageOf<ListedLead> | undefined, isPlaceholderData: boolean) {
  const { leadId, choose } = useListSearch()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ offset: number; by: 1 | -1 } | null>(null)
  useEffect(() => {
    if (!wanted || isPlaceholderData || page?.pagination.offset !== wanted.offset) return
    setWanted(null)
    const row = [...document.querySelectorAll<HTMLElement>('[data-row]')].at(wanted.by > 0 ? 0 : -1)
    row?.querySelector('a')?.focus()
    if (leadId && row?.dataset.row) {
      void navigate({
        to: '/leads/$leadId',
        params: { leadId: row.dataset.row },
        search: true,
        replace: true,
        resetScroll: false,
      })
    }
  }, [wanted, page, isPlaceholderData, leadId, navigate])
  return (by: 1 | -1) => {
    if (!page || isPlaceholderData) return
    const { offset, limit, has_more } = page.pagination
    if (by > 0 ? !has_more : offset === 0) return
    const to = Math.max(0, offset + by * limit)
    setWanted({ offset: to, by })
    choose({ offset: to || undefined })
  }
}

const addedText = (added: number, byChange: boolean) =>
  byChange
    ? plural(added, { one: '# updated lead', other: '# updated leads' })
    : plural(added, { one: '# new lead', other: '# new leads' })

/** If the total is only a lower limit, the last page shows the exact one. */
function countedOf({ data, pagination }: PageOf<ListedLead>) {
  const { total, total_capped, has_more, offset } = pagination
  if (total_capped && !has_more) return { total: offset + data.length, capped: false }
  return { total, capped: total_capped ?? false }
}
