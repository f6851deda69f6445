import { queryOptions } from '@tanstack/react-query'
import type { OriginReport, UserReport } from '#contract/insight/reports'
import { unitOf } from '#contract/platform/periods'
import { type Data, get } from '../../platform/api/api.ts'
import { stringifySearch } from '../../platform/api/search.ts'
import { live } from '../../platform/live/refresh.ts'
import { dateRange } from '../../platform/ui/days.ts'
import { filesOf } from '../../platform/ui/ExportMenu.tsx'
import type { ReportSearch } from './report-search.ts'

export const reportKeys = { all: ['reports'] } as const

/** The filters of the URL, for the report and its file. */
const chosenBy = ({ by, team, source, sort, reverse, figures, ...days }: ReportSearch) => ({
  group_by: by,
  team,
  source,
  ...dateRange(days),
  compare: days.period ? unitOf(days.period) : days.days ? 'days' : undefined,
})

const reportQuery = <Report>(by: 'users' | 'origins', search: ReportSearch) => {
  const asked = chosenBy(search)
  return queryOptions({
    queryKey: [...reportKeys.all, by, asked],
    queryFn: async ({ signal }) => (await get<Data<Report>>(`/web/reports/${by}`, asked, signal)).data,
    meta: live,
  })
}

export const userReportQuery = (search: ReportSearch) => reportQuery<UserReport>('users', search)
export const originReportQuery = (search: ReportSearch) => reportQuery<OriginReport>('origins', search)

export const filesOfReport = (search: ReportSearch) =>
  filesOf(`/web/reports/${search.by ? 'origins' : 'users'}`, stringifySearch(chosenBy(search)))
