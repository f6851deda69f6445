import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, EmptyState, Group, Skeleton, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DuplicateLead, PossibleDuplicate } from '#contract/crm/duplicates'
import { BackLink } from '../../platform/ui/BackLink.tsx'
import { notify, notifyProblem } from '../../platform/ui/notify.tsx'
import { Page } from '../../platform/ui/Page.tsx'
import { Pager } from '../../platform/ui/Pager.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { formatDate } from '../../platform/ui/time.ts'
import { formatPhone, usePhonePlans } from '../contacts/phone.ts'
import { StatusBadge } from '../leads/LeadBadges.tsx'
import { refreshLeads } from '../leads/queries.ts'
import styles from './Duplicates.module.css'
import { dismissPairs, duplicatesPerPage, duplicatesQuery, keptFirst, reasonText } from './queries.ts'

const route = getRouteApi('/signed-in/not-for-agents/leads/duplicates')

/** Pairs of leads that may be one person. */
export function DuplicatesPage() {
  const { offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(duplicatesQuery(offset))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    setSelected(next)
  }
  return (
    <Page
      title={t`Possible duplicates`}
      about={t`Leads that may be one person. Compare two leads, then merge them or keep both. Leads are never merged automatically.`}
      back={
        <BackLink renderRoot={(props) => <Link {...props} to="/leads" />}>
          <Trans>Leads</Trans>
        </BackLink>
      }
    >
      {error && !data ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} />
      ) : data.pagination.total === 0 ? (
        <EmptyState
          py={64}
          icon={<IconUsersGroup />}
          title={t`No possible duplicates`}
          description={t`A pair appears here when a submission has contacts of two leads, or when two leads have the same name and the same city or nearly the same phone. New leads are compared once an hour.`}
        />
      ) : (
        <>
          <PairSelection pairs={data.data} selected={selected} onSelect={setSelected} />
          <ul className={styles.pairs} aria-label={t`Possible duplicates`}>
            {data.data.map((pair, index) => (
              <Pair
                key={keyOf(pair)}
                pair={pair}
                place={offset + index + 1}
                isSelected={selected.has(keyOf(pair))}
                onToggle={() => toggle(keyOf(pair))}
              />
            ))}
          </ul>
          {data.pagination.total > duplicatesPerPage && (
            <Pager
              offset={offset}
              limit={duplicatesPerPage}
              shown={data.data.length}
              total={data.pagination.total}
              onGo={(next) => void navigate({ search: { offset: next || undefined } })}
            />
          )}
        </>
      )}
    </Page>
  )
}

const keyOf = ({ leads }: PossibleDuplicate) => leads.map(({ id }) => id).join()

interface SelectionProps {
  pairs: PossibleDuplicate[]
  selected: ReadonlySet<string>
  onSelect(keys: ReadonlySet<string>): void
}

/** Selects the pairs of the page, and says of the selected ones that they are two people each. Pairs that are not shown do not count. */
function PairSelection({ pairs, selected, onSelect }: SelectionProps) {
  const chosen = pairs.filter((pair) => selected.has(keyOf(pair)))
  const count = chosen.length
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await dismissPairs(chosen.map(({ leads }) => ({ lead_id: leads[0].id, other_id: leads[1].id })))
      return count
    },
    onSuccess: (pairs) => {
      onSelect(new Set())
      notify(plural(pairs, { one: '# pair is kept as two leads', other: '# pairs are kept as two leads each' }))
    },
    onError: (error) => {
      notifyProblem(error)
      void refreshLeads()
    },
  })
  const isAll = count === pairs.length
  return (
    <Group gap={16} mih={44}>
      <Checkbox
        label={count === 0 ? t`Select all` : plural(count, { one: '# pair selected', other: '# pairs selected' })}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => onSelect(new Set(isAll ? [] : pairs.map(keyOf)))}
      />
      {count > 0 && (
        <Button variant="default" size="compact-sm" mih={32} loading={isPending} onClick={() => mutate()}>
          <Trans>Not the same person</Trans>
        </Button>
      )}
    </Group>
  )
}

interface PairProps {
  pair: PossibleDuplicate
  /** In the list, from 1. */
  place: number
  isSelected: boolean
  onToggle(): void
}

function Pair({ pair, place, isSelected, onToggle }: PairProps) {
  const { reason, found_at } = pair
  const [keep, other] = keptFirst(pair)
  const dismiss = () =>
    dismissPairs([{ lead_id: keep.id, other_id: other.id }])
      .then(() => notify(t`${{ kept: keep.name }} and ${{ other: other.name }} are kept as two leads`))
      .catch(notifyProblem)
  return (
    <li className={styles.pair}>
      <Checkbox
        className={styles.reason}
        size="xs"
        aria-label={t`Select ${{ kept: keep.name }} and ${{ other: other.name }}`}
        label={
          <Text size="xs" c="dimmed">
            {reasonText[reason]} · {t`found ${{ date: formatDate(found_at) }}`}
          </Text>
        }
        checked={isSelected}
        onChange={onToggle}
      />
      <OneLead lead={keep} />
      <OneLead lead={other} />
      <div className={styles.actions}>
        <Button
          aria-label={t`Compare ${{ kept: keep.name }} and ${{ other: other.name }}`}
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/leads/merge" search={{ keep: keep.id, other: other.id, pair: place }} />
          )}
        >
          <Trans>Compare</Trans>
        </Button>
        <Button
          variant="subtle"
          color="gray"
          aria-label={t`Not the same person: ${{ kept: keep.name }} and ${{ other: other.name }}`}
          onClick={() => void dismiss()}
        >
          <Trans>Not the same person</Trans>
        </Button>
      </div>
    </li>
  )
}

function OneLead({ lead: { id, name, phone, email, city, status, owner, created_at } }: { lead: DuplicateLead }) {
  usePhonePlans()
  const more = [city, owner ?? t`Unassigned`, t`created ${{ date: formatDate(created_at) }}`]
    .filter(Boolean)
    .join(' · ')
  return (
    <div className={styles.lead}>
      <div className={styles.who}>
        <Link to="/leads/$leadId" params={{ leadId: id }} className={styles.name}>
          {name}
        </Link>
        <StatusBadge status={status} />
      </div>
      <div className={styles.contacts}>
        {phone && <span>{formatPhone(phone)}</span>}
        {email && <span>{email}</span>}
      </div>
      <div className={styles.detail}>{more}</div>
    </div>
  )
}
