import { t } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
import { maxCalledLeads, maxGoingCold, type Overview } from '#contract/insight/overview'
import { type Figure, FigureList } from '../../platform/ui/FigureList.tsx'
import { formatNumber, formatShortMoney } from '../../platform/ui/numbers.ts'
import { formatRelative, formatSpan } from '../../platform/ui/time.ts'

export const Figures = ({ overview, days }: { overview: Overview; days: number }) => (
  <FigureList label={t`Figures`} figures={figuresOf(overview, days)} />
)

function figuresOf(
  { from_date, to_date, leads, calls, deals, first_call, missed_calls, going_cold, rejected_deliveries }: Overview,
  days: number,
): Figure[] {
  const newest = rejected_deliveries?.webhooks[0]
  return [
    {
      label: t`Leads`,
      value: formatNumber(leads.total),
      note: t`${{ count: formatNumber(leads.days.at(-1)?.total ?? 0) }} today`,
      target: { to: '/leads', search: { days } },
    },
    {
      label: t`Calls`,
      value: formatNumber(calls.total),
      note: t`${{ count: formatNumber(calls.days.at(-1)?.total ?? 0) }} today`,
      target: { to: '/calls', search: { days } },
    },
    {
      label: t`Time to first call`,
      value: first_call.median_seconds === null ? '–' : formatSpan(first_call.median_seconds),
      note: firstCallNote(first_call),
    },
    {
      label: t`Won value`,
      value: formatShortMoney(deals.won),
      note: t`${{ amount: formatShortMoney(deals.expected) }} expected from new open leads`,
      target: { to: '/leads', search: { status: ['Won'], closed_from: from_date, closed_to: to_date } },
    },
    {
      label: t`Missed calls to call back`,
      value: formatNumber(missed_calls.unreturned),
      note: t`of ${{ count: formatNumber(missed_calls.missed) }} missed`,
      target: { to: '/calls', search: { only: 'unreturned', days } },
      attention: missed_calls.unreturned > 0,
    },
    ...(going_cold === undefined
      ? []
      : [
          {
            label: t`Going cold`,
            value: going_cold >= maxGoingCold ? `${formatNumber(maxGoingCold)}+` : formatNumber(going_cold),
            note: t`in Qualified or Proposal, without a call`,
            target: { to: '/leads', search: { follow_up: 'going_cold' } } satisfies LinkProps,
            attention: going_cold > 0,
          },
        ]),
    ...(rejected_deliveries
      ? [
          {
            label: t`Rejected deliveries`,
            value: formatNumber(rejected_deliveries.total),
            note: newest ? t`newest ${{ when: formatRelative(newest.newest_at) }}` : t`Nothing to fix`,
            target:
              rejected_deliveries.webhooks.length > 1
                ? needsAttention
                : newest
                  ? deliveriesLink(newest.webhook_id, 'rejected')
                  : webhooks,
            attention: rejected_deliveries.total > 0,
          },
        ]
      : []),
  ]
}

function firstCallNote({ median_seconds, leads }: Overview['first_call']) {
  if (median_seconds === null) return t`No lead of this period was called yet`
  const count = formatNumber(leads)
  return leads < maxCalledLeads
    ? t`median of ${{ count }} called leads`
    : t`median of the newest ${{ count }} called leads`
}

const webhooks: LinkProps = { to: '/settings/webhooks' }
/** The panel on the same page that lists each webhook. */
const needsAttention: LinkProps = { to: '/', search: true, hash: 'needs-attention' }

/** The deliveries of a webhook with one outcome. */
export const deliveriesLink = (webhookId: string, outcome: 'rejected' | 'ignored'): LinkProps => ({
  to: '/settings/webhooks/$webhookId',
  params: { webhookId },
  search: { tab: 'deliveries', outcome },
})
