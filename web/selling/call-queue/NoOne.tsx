import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, EmptyState } from '@mantine/core'
import { IconPhoneCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PromisedCall } from '#contract/selling/today'
import { formatCallAgain } from '../../crm/leads/call-again.ts'
import { wallClock } from '../../platform/ui/wall-clock.ts'
import { todayQuery } from '../today/queries.ts'

interface Props {
  /** Email of the owner, if it is not the user. */
  of: string | undefined
  inGroup: boolean
  onShowAll(): void
}

/** The queue, or a group of it, is empty. */
export function NoOne({ of, inGroup, onShowAll }: Props) {
  const { data: promised } = useQuery({ ...todayQuery(of), enabled: !inGroup })
  const tomorrow = promised?.tomorrow.calls[0]
  const next = promised?.today.calls[0] ?? tomorrow ?? promised?.later.calls[0]
  return (
    <EmptyState
      py={64}
      icon={<IconPhoneCheck />}
      title={inGroup ? t`No one left in this group` : t`No one to call`}
      description={
        inGroup ? (
          t`Show the whole queue to go on.`
        ) : next ? (
          <NextPromise call={next} isTomorrow={next === tomorrow} />
        ) : (
          t`Calls that are due, missed calls, new leads and repeat enquiries appear here, then leads to retry, going cold, without a next step or never called.`
        )
      }
    >
      {inGroup ? (
        <Button variant="default" onClick={onShowAll}>
          <Trans>Show all leads to call</Trans>
        </Button>
      ) : (
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/leads" />}>
          <Trans>Open leads</Trans>
        </Button>
      )}
    </EmptyState>
  )
}

function NextPromise({ call: { id, name, call_again_at }, isTomorrow }: { call: PromisedCall; isTomorrow: boolean }) {
  const time = isTomorrow
    ? t`Tomorrow, ${{ time: wallClock(Date.parse(call_again_at)).slice(11) }}`
    : formatCallAgain(call_again_at)
  return (
    <Trans>
      Next promised call: {time},{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link {...props} to="/leads/$leadId" params={{ leadId: id }} />}
      >
        {name}
      </Anchor>
    </Trans>
  )
}
