import { plural, t } from '@lingui/core/macro'
import { Box, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type OriginReport as ByOrigin, type UserReport as ByUser, originGroups } from '#contract/insight/reports'
import { useMe } from '../../access/account/me.ts'
import { choicesQuery } from '../../crm/leads/queries.ts'
import { DaysFilter } from '../../platform/ui/DaysFilter.tsx'
import { describeDays, hasDays, noDays } from '../../platform/ui/days.ts'
import { ExportMenu } from '../../platform/ui/ExportMenu.tsx'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { groupChoices } from './group-words.ts'
import { OriginReport } from './OriginReport.tsx'
import { filesOfReport, originReportQuery, userReportQuery } from './queries.ts'
import { type ReportSearch, reportSearch } from './report-search.ts'
import { UserReport } from './UserReport.tsx'

/** Figures by user, or by where leads came from, of a period, beside those of the period before. */
export function ReportsPage() {
  const search = reportSearch(useSearch({ strict: false }))
  const { may_export } = useMe()
  const users = useQuery({ ...userReportQuery(search), enabled: !search.by })
  const origins = useQuery({ ...originReportQuery(search), enabled: search.by !== undefined })
  const { data: report, error, isPlaceholderData, refetch } = search.by ? origins : users
  const navigate = useNavigate()
  const choose = (change: ReportSearch) => void navigate({ to: '/reports', search: { ...search, ...change } })
  const rows = report?.rows.length

  return (
    <Page
      title={t`Reports`}
      wide
      actions={
        <>
          <SegmentedControl
            aria-label={t`Figures`}
            data={[
              { value: 'user', label: t`By user` },
              { value: 'source', label: groupChoices[search.by ?? 'source'] },
            ]}
            value={search.by ? 'source' : 'user'}
            onChange={(by) => choose({ by: by === 'source' ? by : undefined })}
          />
          {may_export && (
            <ExportMenu
              files={filesOfReport(search)}
              what={rows === undefined ? t`rows` : plural(rows, { one: '# row', other: '# rows' })}
              none={t`No rows to export`}
              found={rows === undefined ? undefined : { total: rows, capped: false }}
            />
          )}
        </>
      }
    >
      <Stack gap={16}>
        <Group gap={8} align="flex-start">
          {search.by && (
            <Select
              aria-label={t`Group by`}
              w={168}
              data={originGroups.map((value) => ({ value, label: groupChoices[value] }))}
              value={search.by}
              allowDeselect={false}
              onChange={(by) => choose({ by: by as (typeof originGroups)[number] })}
            />
          )}
          <ReportFilters search={search} report={report} onChange={choose} />
        </Group>
        {report && (
          <Text c="dimmed" size="sm">
            {t`${{ days: describeDays(report)! }}. The small figures are the change from ${{ daysBefore: describeDays(report.before)! }}.`}
          </Text>
        )}
        <Problem error={error} retry={() => void refetch()} />
        {report && !error ? (
          <Box aria-busy={isPlaceholderData} miw={0}>
            {search.by ? (
              <OriginReport report={report as ByOrigin} search={search} />
            ) : (
              <UserReport report={report as ByUser} search={search} />
            )}
          </Box>
        ) : (
          !error && <Skeleton height={320} />
        )}
      </Stack>
    </Page>
  )
}

interface FilterProps {
  search: ReportSearch
  report: ByOrigin | ByUser | undefined
  onChange(change: ReportSearch): void
}

function ReportFilters({ search, report, onChange }: FilterProps) {
  const { data: choices } = useQuery(choicesQuery)
  const { role } = useMe()
  const teams = report?.teams ?? []
  const team: Filter = {
    label: t`Team`,
    value: search.team,
    options: search.team && !teams.includes(search.team) ? [...teams, search.team] : teams,
    onChange: (team) => onChange({ team }),
  }
  const source: Filter = {
    label: t`Source`,
    value: search.source,
    options: choices?.sources ?? [],
    onChange: (source) => onChange({ source }),
  }
  return (
    <Filters
      filters={role === 'Admin' ? [team, source] : [source]}
      childrenSet={hasDays(search) ? 1 : 0}
      onClear={() => onChange({ team: undefined, source: undefined, ...noDays })}
    >
      <DaysFilter value={search} onChange={(days) => onChange({ ...noDays, ...days })} withAllTime={false} />
    </Filters>
  )
}
