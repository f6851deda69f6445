import { t } from '@lingui/core/macro'
import { NavLink, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ViewCounts } from '#contract/crm/views'
import { formatNumber } from '../../platform/ui/numbers.ts'
import { viewCountsQuery, viewsQuery } from './queries.ts'
import styles from './ViewLinks.module.css'
import { searchOfView } from './view-search.ts'

/** The views, below Leads in the side bar, with their number of matches. */
export default function ViewLinks() {
  const { data: views = [] } = useQuery(viewsQuery)
  const { data: counts = {} } = useQuery(viewCountsQuery(views))
  const { view: openId } = useSearch({ strict: false })
  if (views.length === 0) return null
  return (
    <section className={styles.views} aria-label={t`Views`}>
      {views.map((view) => (
        <NavLink
          key={view.id}
          component={Link}
          to="/leads"
          search={searchOfView(view) as never}
          active={false}
          aria-current={view.id === openId ? 'page' : undefined}
          label={
            <Text span inherit truncate display="block" title={view.name}>
              {view.name}
            </Text>
          }
          rightSection={
            <span className={styles.marks}>
              {view.shared && <IconUsers size={14} aria-label={t`shared`} />}
              {countText(counts[view.id])}
            </span>
          }
          className={styles.view}
          data-open={view.id === openId || undefined}
        />
      ))}
    </section>
  )
}

/** "1,000+"; empty if it is not counted. */
const countText = (count: ViewCounts[string] | undefined) =>
  count ? `${formatNumber(count.total)}${count.capped ? '+' : ''}` : ''
