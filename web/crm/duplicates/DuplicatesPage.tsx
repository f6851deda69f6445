import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState, Skeleton, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DuplicateLead, PossibleDuplicate } from '#contract/crm/duplicates'
import { post } from '../../platform/api/api.ts'
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
import { duplicatesPerPage, duplicatesQuery, reasonText } from './queries.ts'

const route = getRouteApi('/signed-in/not-for-agents/leads/duplicates')

/** Pairs of leads that may be one person. */
export function DuplicatesPage() {
  const { offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(duplicatesQuery(offset))
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
          <ul className={styles.pairs} aria-label={t`Possible duplicates`}>
            {data.data.map((pair) => (
              <Pair key={pair.leads.map(({ id }) => id).join()} pair={pair} />
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

function Pair({ pair: { leads, reason, found_at } }: { pair: PossibleDuplicate }) {
  // The lead that came first is kept, if the user chooses nothing else.
  const [keep, other] = leads[0].created_at <= leads[1].created_at ? leads : [leads[1], leads[0]]
  const dismiss = () =>
    post('/web/duplicates/dismissals', { lead_id: keep.id, other_id: other.id })
      .then(refreshLeads)
      .then(() => notify(t`${{ kept: keep.name }} and ${{ other: other.name }} are kept as two leads`))
      .catch(notifyProblem)
  return (
    <li className={styles.pair}>
      <Text size="xs" c="dimmed" className={styles.reason}>
        {reasonText[reason]} · {t`found ${{ date: formatDate(found_at) }}`}
      </Text>
      <OneLead lead={keep} />
      <OneLead lead={other} />
      <div className={styles.actions}>
        <Button
          aria-label={t`Compare ${{ kept: keep.name }} and ${{ other: other.name }}`}
          variant="default"
          renderRoot={(props) => <Link {...props} to="/leads/merge" search={{ keep: keep.id, other: other.id }} />}
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
