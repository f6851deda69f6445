import { t } from '@lingui/core/macro'
import type { ListedUser } from '#contract/access/account'
import type { AuditListSearch } from '../../access/audit/audit-search.ts'
import { DaysFilter } from '../../platform/ui/DaysFilter.tsx'
import { hasDays } from '../../platform/ui/days.ts'
import { type Filter, Filters } from '../../platform/ui/Filters.tsx'
import { actionOptions, actionTopic, topicOptions } from './audit-words.ts'

interface Props {
  search: AuditListSearch
  users: ListedUser[]
  onChange(change: Partial<AuditListSearch>): void
  onClear(): void
}

/** Everything except new leads, merges and calls. */
const withoutIncoming = 'without-incoming'

/** `action` in the URL is a topic (`webhook`) or one action (`webhook.enabled`). */
export function AuditFilters({ search, users, onChange, onClear }: Props) {
  const { action, incoming, user_id, import_id } = search
  const topic = action && actionTopic(action)
  const actions = topic ? actionOptions(topic) : []
  const filters: Filter[] = [
    {
      label: t`Type`,
      value: incoming ? withoutIncoming : topic,
      options: [{ value: withoutIncoming, label: t`Changes by users` }, ...topicOptions],
      onChange: (value) =>
        onChange(
          value === withoutIncoming ? { action: undefined, incoming: 'false' } : { action: value, incoming: undefined },
        ),
    },
    ...(actions.length > 1
      ? [
          {
            label: t`Action`,
            value: action?.includes('.') ? action : undefined,
            options: actions,
            onChange: (value: string | undefined) => onChange({ action: value ?? topic }),
          },
        ]
      : []),
    {
      label: t`User`,
      value: user_id,
      options: users.map(({ id, name }) => ({ value: id, label: name })),
      onChange: (value) => onChange({ user_id: value }),
    },
    ...(import_id === undefined
      ? []
      : [
          {
            label: t`Import or bulk change`,
            value: import_id,
            options: [{ value: import_id, label: t`One of them` }],
            onChange: () => onChange({ import_id: undefined }),
          },
        ]),
  ]
  return (
    <Filters filters={filters} childrenSet={hasDays(search) ? 1 : 0} onClear={onClear}>
      <DaysFilter value={search} onChange={onChange} placeholder={t`all time`} />
    </Filters>
  )
}
