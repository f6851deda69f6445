import type { ListedUser } from '#contract/team'
import { DaysFilter } from '../ui/DaysFilter.tsx'
import { hasDays } from '../ui/days.ts'
import { type Filter, Filters } from '../ui/Filters.tsx'
import type { AuditListSearch } from './audit-search.ts'
import { actionOptions, matterOf, matterOptions } from './audit-words.ts'

interface Props {
  search: AuditListSearch
  people: ListedUser[]
  onChange(change: Partial<AuditListSearch>): void
  onClear(): void
}

/** All but new leads, merges and calls. */
const withoutIncoming = 'without-incoming'

/** `action` in the address is a matter (`webhook`), or one thing done in it (`webhook.enabled`). */
export function AuditFilters({ search, people, onChange, onClear }: Props) {
  const { action, incoming, user_id } = search
  const matter = action && matterOf(action)
  const actions = matter ? actionOptions(matter) : []
  const filters: Filter[] = [
    {
      label: 'About',
      value: incoming ? withoutIncoming : matter,
      options: [{ value: withoutIncoming, label: 'Done by hand' }, ...matterOptions],
      onChange: (value) =>
        onChange(
          value === withoutIncoming ? { action: undefined, incoming: 'false' } : { action: value, incoming: undefined },
        ),
    },
    ...(actions.length > 1
      ? [
          {
            label: 'What was done',
            value: action?.includes('.') ? action : undefined,
            options: actions,
            onChange: (value: string | undefined) => onChange({ action: value ?? matter }),
          },
        ]
      : []),
    {
      label: 'By whom',
      value: user_id,
      options: people.map(({ id, name }) => ({ value: id, label: name })),
      onChange: (value) => onChange({ user_id: value }),
    },
  ]
  return (
    <Filters filters={filters} childrenSet={hasDays(search) ? 1 : 0} onClear={onClear}>
      <DaysFilter value={search} onChange={onChange} placeholder="All time" />
    </Filters>
  )
}
