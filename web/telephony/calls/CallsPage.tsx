import { plural, t } from '@lingui/core/macro'
import { Group, Text } from '@mantine/core'
import { hashKey, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { CallSort, ListedCall } from '#contract/telephony/calls'
import { useMe } from '../../access/account/me.ts'
import { usersQuery } from '../../access/account/users.ts'
import { closesBack } from '../../crm/leads/close-back.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import { useOwnChange } from '../../platform/live/refresh.ts'
import { DataTable } from '../../platform/ui/DataTable.tsx'
import { ExportMenu, type Found, filesOf } from '../../platform/ui/ExportMenu.tsx'
import { LoadMore } from '../../platform/ui/LoadMore.tsx'
import { NewRows } from '../../platform/ui/NewRows.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Pager } from '../../platform/ui/Pager.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useAddKey } from '../../platform/ui/page-keys.ts'
import { SearchField } from '../../platform/ui/SearchField.tsx'
import { useNarrow, useTight } from '../../platform/ui/screen-size.ts'
import { useHeldRows } from '../../platform/ui/use-held-rows.ts'
import { useMoreRows } from '../../platform/ui/use-more-rows.ts'
import { useWidth } from '../../platform/ui/use-width.ts'
import { CallFilters } from './CallFilters.tsx'
import styles from './CallsPage.module.css'
import { CallTotals } from './CallTotals.tsx'
import { callColumns, narrowCall } from './call-columns.tsx'
import { type CallListSearch, callSearch } from './call-search.ts'
import { NoCalls } from './NoCalls.tsx'
import { callListQuery, chosenBy, pageSize } from './queries.ts'

const route = getRouteApi('/signed-in/calls')

export function CallsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/calls' })
  useAddKey(() => void navigate({ to: '/leads', search: { add: true } }))
  const { role, may_export } = useMe()
  const isAgent = role === 'Agent'
  const squeezed = useTight()
  const { ref, width } = useWidth(undefined)
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: !isAgent })
  const { query, loadFrom } = callListQuery(search)
  const { queryKey } = query
  const loaded = useQuery(query)
  const { data: page, error, refetch, isPlaceholderData } = loaded
  const onPhone = useNarrow()
  const held = useHeldRows(loaded, hashKey(queryKey), useOwnChange())
  const { rows, added, show, more } = useMoreRows({ isOn: onPhone, queryKey, loaded, held, loadFrom })

  const { offset = 0, sort = 'newest', ...filters } = search
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const changeFilters = (change: CallListSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change, offset: undefined }) })
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: (before) => ({ ...before, search: text || undefined, offset: undefined }),
        replace: true,
      }),
    [navigate],
  )
  const goTo = (to: number) => void navigate({ search: (before) => ({ ...before, offset: to || undefined }) })
  const clear = () => void navigate({ search: ({ sort }) => callSearch({ sort }) })
  const clearFilters = () => void navigate({ search: ({ search, sort }) => callSearch({ search, sort }) })
  const onSort = (chosen: CallSort) => changeFilters({ sort: chosen === 'newest' ? undefined : chosen })
  const open = (call: ListedCall) =>
    void navigate({ to: '/leads/$leadId', params: { leadId: call.lead_id }, state: closesBack })
  const nameOf = (email: string) => users.find((user) => user.email === email)?.name ?? email
  const total = page?.pagination.total ?? 0
  const capped = page?.pagination.total_capped ?? false
  const searchField = (
    <SearchField label={t`Name, phone, company, tag…`} value={search.search ?? ''} onSearch={onSearch} />
  )

  return (
    <Page
      title={t`Calls`}
      wide
      actions={
        <>
          {!squeezed && searchField}
          {may_export && (
            <ExportMenu
              files={filesOf('/web/calls', stringifySearch({ ...chosenBy(search), sort: search.sort }))}
              what={whatIsFound(page && { total, capped })}
              none={t`No calls to export`}
              found={page && { total, capped }}
              folded={squeezed}
            />
          )}
        </>
      }
    >
      <div ref={ref} className={styles.filters}>
        <Group gap={8} wrap="nowrap">
          {squeezed && searchField}
          <CallFilters search={search} onChange={changeFilters} onClear={clearFilters} />
        </Group>
      </div>
      {error && !page ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <>
          {total > 0 && <CallTotals search={search} />}
          {capped && sort === 'longest' && (
            <Text size="xs" c="dimmed" className={styles.capped}>
              {t`The longest of the newest ${plural(total, { one: '# call', other: '# calls' })}. Choose fewer days to sort all.`}
            </Text>
          )}
          <NewRows
            label={added > 0 && !offset ? plural(added, { one: '# new call', other: '# new calls' }) : null}
            onShow={show}
          />
          <DataTable
            label={t`Calls`}
            columns={callColumns({ ownerName: isAgent ? undefined : nameOf, width, sort, onSort })}
            rows={rows}
            rowKey={({ id }) => id}
            narrow={narrowCall}
            onOpen={open}
            busy={isPlaceholderData}
            expected={12}
            empty={<NoCalls filtered={filtered} beyond={total > 0} onClear={clear} onFirst={() => goTo(0)} />}
          />
          {page && page.data.length > 0 && onPhone && (
            <LoadMore more={more} total={total} capped={capped} onGo={goTo} />
          )}
          {page && page.data.length > 0 && !onPhone && (
            <div className={styles.pager}>
              <Pager
                offset={offset}
                limit={pageSize}
                shown={page.data.length}
                total={total}
                capped={capped}
                onGo={goTo}
              />
            </div>
          )}
        </>
      )}
    </Page>
  )
}

/** "12 calls", "more than 10,000 calls" */
function whatIsFound(found: Found | undefined): string {
  if (!found) return t`calls`
  const { total, capped } = found
  return capped
    ? t`more than ${plural(total, { one: '# call', other: '# calls' })}`
    : plural(total, { one: '# call', other: '# calls' })
}
