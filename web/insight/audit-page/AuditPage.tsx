import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState, Skeleton, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { AuditEntry } from '#contract/access/audit'
import { usersQuery } from '../../access/account/users.ts'
import { type AuditListSearch, auditSearch } from '../../access/audit/audit-search.ts'
import { auditKeys } from '../../access/audit/queries.ts'
import { type Chain, get } from '../../platform/api/api.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import { dateRange } from '../../platform/ui/days.ts'
import { ExportMenu, filesOf } from '../../platform/ui/ExportMenu.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { WaitingButton } from '../../platform/ui/WaitingButton.tsx'
import { AuditEntryRow } from './AuditEntryRow.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import styles from './AuditPage.module.css'
import { byDay, type Run } from './runs.ts'

const route = getRouteApi('/signed-in/admins/settings/audit')

export function AuditPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/settings/audit' })
  const { data: users = [] } = useQuery(usersQuery)
  const { action, incoming, user_id, import_id, ...days } = search
  const log = useInfiniteQuery({
    queryKey: auditKeys.list(search),
    queryFn: ({ pageParam, signal }) =>
      get<Chain<AuditEntry>>(
        '/web/audit',
        { action, incoming, user_id, import_id, ...dateRange(days), before: pageParam, limit: 100 },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const entries = log.data?.pages.flatMap(({ data }) => data)
  const goesOn = (run: Run) => log.hasNextPage && run.at(-1) === entries?.at(-1)
  const showOlder = async () => {
    const { hasNextPage } = await log.fetchNextPage()
    // The button disappears with the last page.
    if (!hasNextPage) document.getElementById('content')?.focus({ preventScroll: true })
  }
  const userName = (id: string) => users.find((user) => user.id === id)?.name
  const filtered = Object.values(search).some((value) => value !== undefined)
  const clear = () => void navigate({ search: auditSearch({}) })
  const change = (changed: Partial<AuditListSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }) })

  return (
    <Page
      title={t`Audit log`}
      about={t`Who did what, newest first. It cannot be changed, and keeps no personal data of leads.`}
      actions={
        <ExportMenu
          files={filesOf('/web/audit', stringifySearch({ action, incoming, user_id, import_id, ...dateRange(days) }))}
          what={t`entries`}
          none={t`No entries to export`}
          found={entries?.length === 0 ? { total: 0, capped: false } : undefined}
        />
      }
    >
      <AuditFilters search={search} users={users} onChange={change} onClear={clear} />
      {log.error && !entries ? (
        <Problem error={log.error} retry={() => void log.refetch()} />
      ) : entries ? (
        <div aria-busy={log.isPlaceholderData}>
          {byDay(entries).map(({ day, runs: ofDay }) => (
            <section key={day} className={styles.day}>
              <Title order={2}>{day}</Title>
              <ul aria-label={day}>
                {ofDay.map((run) => (
                  <AuditEntryRow key={run[0].id} run={run} goesOn={goesOn(run)} userName={userName} />
                ))}
              </ul>
            </section>
          ))}
          {entries.length === 0 && (
            <EmptyState
              className={styles.nothing}
              icon={<IconHistory size={28} aria-hidden />}
              title={t`No matches`}
              description={t`No entry matches all filters.`}
            >
              {filtered && (
                <Button variant="default" onClick={clear}>
                  <Trans>Clear filters</Trans>
                </Button>
              )}
            </EmptyState>
          )}
          {log.isFetchNextPageError && <Problem error={log.error} />}
          {log.hasNextPage && (
            <WaitingButton variant="default" mt={16} waiting={log.isFetchingNextPage} onClick={() => void showOlder()}>
              <Trans>Show older</Trans>
            </WaitingButton>
          )}
        </div>
      ) : (
        <div aria-busy>
          <Skeleton height={20} width={120} mt={24} mb={16} />
          {['52%', '69%', '46%', '83%', '60%', '77%', '54%', '71%'].map((width) => (
            <Skeleton key={width} height={22} mb={20} width={width} />
          ))}
        </div>
      )}
    </Page>
  )
}
