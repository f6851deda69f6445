import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, EmptyState } from '@mantine/core'
import { IconAddressBookOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../../access/account/me.ts'
import { leadQuery } from '../../crm/leads/queries.ts'
import { forgetRecentLead, keepRecentLead } from '../../crm/leads/recent-leads.ts'
import { ApiProblem, isNotFound } from '../../platform/api/api.ts'
import { useConnected } from '../../platform/api/connection.ts'
import { NotOpenedBefore } from '../../platform/ui/NotOpenedBefore.tsx'
import { notify } from '../../platform/ui/notify.tsx'
import { useTitle } from '../../platform/ui/Page.tsx'
import { Problem } from '../../platform/ui/Problem.tsx'
import { useNarrow, useWide } from '../../platform/ui/screen-size.ts'
import { useCallsInProgress } from '../../telephony/calls/call-in-progress.ts'
import { CallOfLead } from './CallOfLead.tsx'
import styles from './Lead.module.css'
import { LeadDrawer } from './LeadDrawer.tsx'
import { LeadSkeleton } from './LeadSkeleton.tsx'
import { useCloseLead } from './use-close-lead.ts'

const route = getRouteApi('/signed-in/leads/$leadId')

/** Shows one lead: beside the list if there is room, else as the whole page. */
export function LeadPage() {
  const { leadId } = route.useParams()
  useCloseLead(leadId)
  const beside = useWide()
  const connected = useConnected()
  const { data, error, isPlaceholderData, refetch } = useQuery(leadQuery(leadId))
  const gone = isNotFound(error) || (error instanceof ApiProblem && error.field === 'id')
  const { id: userId } = useMe()
  const navigate = route.useNavigate()
  // If the lead was merged into another one, the server answers that one.
  const keptId = data && !isPlaceholderData && data.id !== leadId ? data.id : null
  useEffect(() => {
    if (keptId === null) return
    forgetRecentLead(userId, leadId)
    notify(t`This lead was merged into another one, which is shown now`)
    void navigate({ to: '/leads/$leadId', params: { leadId: keptId }, search: true, replace: true })
  }, [keptId, userId, leadId, navigate])
  useEffect(() => {
    if (gone) forgetRecentLead(userId, leadId)
    else if (data?.id === leadId && !isPlaceholderData) keepRecentLead(userId, data)
  }, [userId, leadId, data, isPlaceholderData, gone])

  const onPhone = useNarrow()
  const call = useCallsInProgress().find(({ isFormOpen, lead }) => isFormOpen && lead.id === leadId)
  // On a phone, it is over the page.
  const form = call && !onPhone && <CallOfLead key={call.key} call={call} />

  return (
    <article className={styles.page} aria-label={data?.name ?? t`Lead`}>
      {(gone || !data) && form}
      {gone ? (
        <NoLead beside={beside} wasThere={data?.id === leadId} />
      ) : data ? (
        <LeadDrawer key={data.id} lead={data} form={form} beside={beside} passing={isPlaceholderData} />
      ) : !connected ? (
        <NotOpenedBefore />
      ) : error ? (
        <div className={styles.lead}>
          <Problem error={error} retry={() => void refetch()} />
        </div>
      ) : (
        <LeadSkeleton beside={beside} />
      )}
    </article>
  )
}

/** `wasThere`: the page showed it until now. */
function NoLead({ beside, wasThere }: { beside: boolean; wasThere: boolean }) {
  useTitle(t`Lead not found`)
  return (
    <div className={styles.lead}>
      <EmptyState
        mt={48}
        icon={<IconAddressBookOff />}
        title={wasThere ? t`You no longer have this lead` : t`Lead not found`}
        description={
          wasThere
            ? t`It was reassigned or deleted just now.`
            : t`The lead was deleted, or you do not have access to it.`
        }
      >
        <EmptyState.Actions>
          {wasThere && (
            <Button renderRoot={(props) => <Link {...props} to="/queue" />}>
              <Trans>Call next lead</Trans>
            </Button>
          )}
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" search={true} />}>
            {beside ? t`Close` : t`Back to leads`}
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </div>
  )
}
